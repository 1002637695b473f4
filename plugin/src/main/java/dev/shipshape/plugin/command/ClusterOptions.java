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
 * Which cluster a command speaks to. As a Helm plugin it is the one that Helm's own flags name:
 * Helm takes those away from our command line and hands them on as {@code HELM_*} variables.
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
          "--kube-tls-server-name is not supported: put tls-server-name into the kubeconfig's"
              + " certificate names instead");
    }
    return ApiConnection.open(kubeconfig, context().orElse(null), this::override);
  }

  /**
   * The same choice for Helm, or for another command of ours; without the token, which is nobody's
   * to print.
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

  /** Applies what Helm's own flags override. */
  void override(ConfigBuilder config) {
    helm("HELM_KUBEAPISERVER").ifPresent(config::withMasterUrl);
    helm("HELM_KUBETOKEN").ifPresent(config::withOauthToken);
    // The library would prefer the authority that stands in the kubeconfig itself.
    helm("HELM_KUBECAFILE").ifPresent(file -> config.withCaCertFile(file).withCaCertData(null));
    helm("HELM_KUBEASUSER").ifPresent(config::withImpersonateUsername);
    helm("HELM_KUBEASGROUPS").ifPresent(all -> config.withImpersonateGroups(all.split(",")));
    helm("HELM_KUBEINSECURE_SKIP_TLS_VERIFY")
        .map(Boolean::parseBoolean)
        .filter(skip -> skip)
        .ifPresent(config::withTrustCerts);
  }

  /** Helm sets every variable; one without a flag is empty. */
  private Optional<String> helm(String variable) {
    return Optional.ofNullable(environment.get(variable)).filter(value -> !value.isEmpty());
  }
}
