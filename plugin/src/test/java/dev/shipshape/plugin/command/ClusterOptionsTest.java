package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.release.Helm;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What Helm's own flags change of a kubeconfig. */
class ClusterOptionsTest {
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: one
      contexts: [{name: one, context: {cluster: one, user: one}}]
      clusters: [{name: one, cluster: {server: "https://one:6443", certificate-authority-data: QQ==}}]
      users: [{name: one, user: {token: one}}]
      """;

  @Test
  void helmsFlagsWinAgainstTheKubeconfig() {
    var config =
        overridden(
            Map.of(
                "HELM_NAMESPACE", "other",
                "HELM_KUBEAPISERVER", "https://other:6443",
                "HELM_KUBETOKEN", "other",
                "HELM_KUBEASUSER", "somebody",
                "HELM_KUBEASGROUPS", "readers,writers",
                "HELM_KUBEINSECURE_SKIP_TLS_VERIFY", "true"));

    assertThat(config.getNamespace()).isEqualTo("other");
    assertThat(config.getMasterUrl()).startsWith("https://other:6443");
    assertThat(config.getOauthToken()).isEqualTo("other");
    assertThat(config.getImpersonateUsername()).isEqualTo("somebody");
    assertThat(config.getImpersonateGroups()).containsExactly("readers", "writers");
    assertThat(config.isTrustCerts()).isTrue();
  }

  @Test
  void anAuthorityInAFileTakesThePlaceOfTheOneInTheKubeconfig() {
    var config = overridden(Map.of("HELM_KUBECAFILE", "/ca.crt"));

    assertThat(config.getCaCertFile()).isEqualTo("/ca.crt");
    assertThat(config.getCaCertData()).as("what the library would prefer").isNull();
  }

  @Test
  void whatHelmWasNotToldStaysAsTheKubeconfigSays() {
    var config =
        overridden(
            Map.of(
                "HELM_KUBEAPISERVER", "",
                "HELM_KUBETOKEN", "",
                "HELM_KUBECAFILE", "",
                "HELM_KUBEASUSER", "",
                "HELM_KUBEASGROUPS", "",
                "HELM_KUBEINSECURE_SKIP_TLS_VERIFY", "false"));

    assertThat(config.getMasterUrl()).startsWith("https://one:6443");
    assertThat(config.getOauthToken()).as("what would win against the kubeconfig's").isNull();
    assertThat(config.getAutoOAuthToken()).isEqualTo("one");
    assertThat(config.getCaCertData()).isEqualTo("QQ==");
    assertThat(config.getImpersonateUsername()).isNull();
    assertThat(config.getImpersonateGroups()).isNullOrEmpty();
    assertThat(config.isTrustCerts()).isFalse();
  }

  @Test
  void aCommandToTypeNamesTheSameClusterAndNoToken() {
    var options =
        new ClusterOptions(
            Map.of(
                "HELM_KUBECONTEXT", "one",
                "HELM_KUBEAPISERVER", "https://other:6443",
                "HELM_KUBETOKEN", "secret",
                "HELM_KUBECAFILE", "/ca.crt",
                "HELM_KUBEASUSER", "somebody",
                "HELM_KUBEASGROUPS", "readers,writers",
                "HELM_KUBEINSECURE_SKIP_TLS_VERIFY", "true"));

    assertThat(String.join(" ", options.flags()))
        .isEqualTo(
            "--kube-context one --kube-apiserver https://other:6443 --kube-ca-file /ca.crt"
                + " --kube-as-user somebody --kube-as-group readers --kube-as-group writers"
                + " --kube-insecure-skip-tls-verify");
    assertThat(Helm.kubectl(options.flags(), "delete crd x"))
        .isEqualTo(
            "kubectl delete crd x --context one --server https://other:6443"
                + " --certificate-authority /ca.crt --as somebody --as-group readers"
                + " --as-group writers --insecure-skip-tls-verify");
    assertThat(new ClusterOptions(Map.of("HELM_KUBEINSECURE_SKIP_TLS_VERIFY", "false")).flags())
        .isEmpty();
  }

  private static Config overridden(Map<String, String> environment) {
    var builder = new ConfigBuilder(Config.fromKubeconfig(KUBECONFIG));
    new ClusterOptions(environment).override(builder);
    return builder.build();
  }
}
