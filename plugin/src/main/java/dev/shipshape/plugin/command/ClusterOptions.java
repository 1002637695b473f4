package dev.shipshape.plugin.command;

import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Selects the cluster. A Helm plugin uses the one that Helm's own flags name: Helm removes these
 * from the plugin's command line and passes them as {@code HELM_*} variables.
 */
final class ClusterOptions {
  private final Map<String, String> environment;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The kubeconfig. Default: what kubectl takes, or the pod's service account in a pod.")
  private @Nullable Path kubeconfig;

  @Option(
      names = {"--context", "--kube-context"},
      paramLabel = "NAME",
      description = "The kubeconfig's context. Default: its current one.")
  private @Nullable String context;

  ClusterOptions() {
    this(System.getenv());
  }

  ClusterOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  KubernetesClient connect() {
    if (helm("HELM_KUBETLS_SERVER_NAME").isPresent()) {
      throw new StartFailure(
          "--kube-tls-server-name is not supported: the API server's certificate must have the name"
              + " in its address");
    }
    return ApiConnection.open(kubeconfig, context().orElse(null), this::override);
  }

  /**
   * Returns the flags that select the same cluster for Helm or another command; without the token,
   * which must not be printed.
   */
  List<String> flags() {
    var flags = new ArrayList<String>();
    if (kubeconfig != null) {
      flags.addAll(List.of("--kubeconfig", kubeconfig.toString()));
    }
    context().ifPresent(named -> flags.addAll(List.of("--kube-context", named)));
    helm("HELM_KUBEAPISERVER").ifPresent(url -> flags.addAll(List.of("--kube-apiserver", url)));
    helm("HELM_KUBECAFILE").ifPresent(file -> flags.addAll(List.of("--kube-ca-file", file)));
    helm("HELM_KUBEASUSER").ifPresent(user -> flags.addAll(List.of("--kube-as-user", user)));
    helm("HELM_KUBEASGROUPS").stream()
        .flatMap(all -> Stream.of(all.split(",")))
        .forEach(group -> flags.addAll(List.of("--kube-as-group", group)));
    helm("HELM_KUBEINSECURE_SKIP_TLS_VERIFY")
        .filter(Boolean::parseBoolean)
        .ifPresent(_ -> flags.add("--kube-insecure-skip-tls-verify"));
    return flags;
  }

  private Optional<String> context() {
    return Optional.ofNullable(context).or(() -> helm("HELM_KUBECONTEXT"));
  }

  /** Applies Helm's own flags. */
  void override(ConfigBuilder config) {
    helm("HELM_NAMESPACE").ifPresent(config::withNamespace);
    helm("HELM_KUBEAPISERVER").ifPresent(config::withMasterUrl);
    helm("HELM_KUBETOKEN").map(ApiConnection::stripped).ifPresent(config::withOauthToken);
    // The library would prefer the authority in the kubeconfig.
    helm("HELM_KUBECAFILE").ifPresent(file -> config.withCaCertFile(file).withCaCertData(null));
    helm("HELM_KUBEASUSER").ifPresent(config::withImpersonateUsername);
    helm("HELM_KUBEASGROUPS").ifPresent(all -> config.withImpersonateGroups(all.split(",")));
    helm("HELM_KUBEINSECURE_SKIP_TLS_VERIFY")
        .map(Boolean::parseBoolean)
        .filter(skip -> skip)
        .ifPresent(config::withTrustCerts);
  }

  /** Helm sets every variable; without the flag, it is empty. */
  private Optional<String> helm(String variable) {
    return Optional.ofNullable(environment.get(variable)).filter(value -> !value.isEmpty());
  }
}
