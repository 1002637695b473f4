package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What goes with a release and what stays, on a real API server; Helm is a script. */
@ExtendWith(ControlPlaneExtension.class)
class UninstallerTest {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
  private static final String VALIDATING = REGISTRATION + "validatingwebhookconfigurations";
  private static final String MUTATING = REGISTRATION + "mutatingwebhookconfigurations";
  private static final String DEFINITION =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
          + "knowninvalidconfigurations.shipshape.dev";
  private static final String NO_RELEASE = "echo 'Error: release: not found' >&2; exit 1";

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final KubernetesClient client;
  private final String release;
  private final String here;
  private final String elsewhere;

  @TempDir private Path folder;

  UninstallerTest(ControlPlane cluster, UniqueNames names) {
    this.client = ApiConnection.open(cluster.kubeconfig(), null);
    this.release = names.name("release");
    this.here = names.namespace("here");
    this.elsewhere = names.namespace("elsewhere");
  }

  @Test
  void theGuardOfAReleaseOfThatNameInAnotherNamespaceStays() throws Exception {
    register("ours", here);
    register("theirs", elsewhere);

    assertThat(uninstaller(NO_RELEASE).run()).isTrue();

    assertThat(isThere(VALIDATING, "ours")).isFalse();
    assertThat(isThere(MUTATING, "ours")).isFalse();
    assertThat(isThere(VALIDATING, "theirs")).isTrue();
    assertThat(isThere(MUTATING, "theirs")).isTrue();
    assertThat(said()).contains("was not there, but there is one in namespace " + elsewhere);
  }

  @Test
  void theWrongNamespaceIsNoSuccess() throws Exception {
    register("theirs", elsewhere);

    assertThat(uninstaller(NO_RELEASE).show()).isFalse();
    assertThat(said())
        .contains(
            "  there is no release %s in namespace %s; there is one in: %s"
                .formatted(release, here, elsewhere));

    assertThat(uninstaller(NO_RELEASE).run()).isFalse();
    assertThat(isThere(VALIDATING, "theirs")).isTrue();
  }

  @Test
  void nextToAJanitorAloneTheWrongNamespaceIsNoSuccessEither() throws Exception {
    client.raw(
        "/apis/apps/v1/namespaces/%s/deployments".formatted(elsewhere),
        "POST",
        """
        {"metadata": {"name": "janitor", "labels": {"app.kubernetes.io/instance": "%s",
           "app.kubernetes.io/part-of": "shipshape"}},
         "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "janitor"}}, "template": {
           "metadata": {"labels": {"app": "janitor"}},
           "spec": {"containers": [{"name": "janitor", "image": "none"}]}}}}
        """
            .formatted(release));

    assertThat(uninstaller(NO_RELEASE).run()).isFalse();
    assertThat(said()).contains("there is one in namespace " + elsewhere);
  }

  @Test
  void whatIsGoneAlreadyIsASuccess() throws Exception {
    assertThat(uninstaller(NO_RELEASE).show()).isTrue();
    assertThat(said().lines()).contains("  nothing");

    assertThat(uninstaller(NO_RELEASE).run()).isTrue();
  }

  @Test
  void aWebhookConfigurationThatIsNotThereIsSaidToBe() {
    make(VALIDATING, "{\"metadata\": {\"name\": \"%s\"}}".formatted(unique("removal")));

    var remover = new Remover(client);

    assertThat(remover.mutating(unique("removal")))
        .isEqualTo("mutatingwebhookconfigurations/%s: was not there".formatted(unique("removal")));
    assertThat(remover.validating(unique("removal"))).contains(": removed (uid ");
    assertThat(isThere(VALIDATING, "removal")).isFalse();
  }

  @Test
  void whatTheWebhookGoesByToWriteTheOtherConfigurationGoesFirst() throws Exception {
    register("ours", here);

    uninstaller(NO_RELEASE).run();

    assertThat(said())
        .containsSubsequence(
            "mutatingwebhookconfigurations/%s: removed".formatted(unique("ours")),
            "validatingwebhookconfigurations/%s: removed".formatted(unique("ours")));
  }

  @Promise(
      value = "`uninstall --dry-run` lists what it would remove, and removes nothing.",
      breaks = "Separate lists for dry run and run.")
  @Test
  void aDryRunListsWhatARunRemovesAndRemovesNothing() throws Exception {
    register("ours", here);
    register("theirs", elsewhere);
    var lease = lead();
    var disarmed = disarm();
    var manifest =
        """
        case "$2" in
        metadata) echo 'name: x' ;;
        manifest)
          echo '{"kind": "Service", "metadata": {"name": "goes"}}'
          echo '---'
          echo '{"kind": "Secret", "metadata": {"name": "stays",
                 "annotations": {"helm.sh/resource-policy": "keep"}}}'
        esac\
        """;

    uninstaller(manifest).show();

    assertThat(said().lines())
        .containsExactlyInAnyOrder(
            "",
            "What would be removed",
            "  - ValidatingWebhookConfiguration " + unique("ours"),
            "  - MutatingWebhookConfiguration " + unique("ours"),
            "  - Service goes",
            "  - leases/shipshape-janitor, made at run time",
            "  - configmaps/shipshape-disarmed, made at run time");
    assertThat(client.raw(disarmed)).isNotNull();
    assertThat(isThere(VALIDATING, "ours")).isTrue();
    assertThat(client.raw(lease)).isNotNull();
  }

  @Test
  void whatIsKnownInvalidStaysAndIsSaid() throws Exception {
    var lease = lead();
    var disarmed = disarm();
    var definition = Path.of("../chart/files/knowninvalidconfigurations.yaml");
    client.load(Files.newInputStream(definition)).serverSideApply();

    uninstaller(NO_RELEASE).run();

    assertThat(said())
        .contains(
            "if no other release", "kubectl delete crd knowninvalidconfigurations.shipshape.dev");
    assertThat(client.raw(DEFINITION)).isNotNull();
    assertThat(client.raw(lease)).isNull();
    assertThat(client.raw(disarmed)).isNull();
  }

  @Test
  void onlySecretsWithOurLabelGoHoweverOthersAreNamed() throws Exception {
    var ours =
        secret("r-webhook-cert-manager", "{\"shipshape.dev/certificates\": \"cert-manager\"}");
    // Of another product, whose Certificate is gone as ours are.
    var theirs = secret("other-webhook-cert-manager", "{}");

    uninstaller(NO_RELEASE).show();
    assertThat(said())
        .contains("- secrets/r-webhook-cert-manager, made at run time")
        .doesNotContain("other-");

    assertThat(uninstaller(NO_RELEASE).run()).isTrue();
    assertThat(client.raw(ours)).isNull();
    assertThat(client.raw(theirs)).isNotNull();
  }

  /** As cert-manager makes one. */
  private String secret(String name, String labels) {
    var path = "/api/v1/namespaces/%s/secrets".formatted(here);
    make(
        path,
        """
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "%s", "labels": %s,
          "annotations": {"cert-manager.io/certificate-name": "r-webhook"}}}
        """
            .formatted(name, labels));
    return path + "/" + name;
  }

  private String lead() {
    var path = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(here);
    make(
        path,
        """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
         "metadata": {"name": "shipshape-janitor"}}
        """);
    return path + "/shipshape-janitor";
  }

  private String disarm() {
    var path = "/api/v1/namespaces/%s/configmaps".formatted(here);
    make(path, "{\"metadata\": {\"name\": \"shipshape-disarmed\"}}");
    return path + "/shipshape-disarmed";
  }

  private void register(String name, String service) {
    for (var kind : List.of("Validating", "Mutating")) {
      make(
          kind.equals("Validating") ? VALIDATING : MUTATING,
          """
          {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "%sWebhookConfiguration",
           "metadata": {"name": "%s", "labels": %s},
           "webhooks": [{"name": "guard.shipshape.dev", "sideEffects": "None",
             "admissionReviewVersions": ["v1"], "rules": [], "failurePolicy": "Ignore",
             "clientConfig": {"service": {"name": "shipshape", "namespace": "%s"}}}]}
          """
              .formatted(kind, unique(name), labels(), service));
    }
  }

  private String labels() {
    return """
    {"app.kubernetes.io/instance": "%s", "app.kubernetes.io/part-of": "shipshape",
     "app.kubernetes.io/component": "webhook"}
    """
        .formatted(release);
  }

  private void make(String path, String json) {
    client.raw(path, "POST", json);
  }

  private boolean isThere(String path, String name) {
    return client.raw(path + "/" + unique(name)) != null;
  }

  /** The cluster's own names are shared with all tests. */
  private String unique(String name) {
    return name + "-" + release;
  }

  private Uninstaller uninstaller(String script) throws IOException {
    var helm = Files.writeString(folder.resolve("helm"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(helm, PosixFilePermissions.fromString("rwx------"));
    var environment = Map.of("HELM_BIN", helm.toString());
    return new Uninstaller(
        client,
        new HelmRelease(Helm.of(environment, List.of(), here), release, here),
        new Console(new PrintWriter(said, true, StandardCharsets.UTF_8)));
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }
}
