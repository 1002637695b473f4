package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.TestRelease;
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
  private static final String DEFINITION =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
          + "knowninvalidconfigurations.shipshape.dev";
  private static final String NO_RELEASE = "echo 'Error: release: not found' >&2; exit 1";

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final KubernetesClient client;
  private final String release;
  private final String here;
  private final String elsewhere;
  private final TestRelease ours;
  private final TestRelease theirs;

  @TempDir private Path folder;

  UninstallerTest(ControlPlane cluster, UniqueNames names) {
    this.client = ApiConnection.open(cluster.kubeconfig(), null);
    this.release = names.name("release");
    this.here = names.namespace("here");
    this.elsewhere = names.namespace("elsewhere");
    this.ours = new TestRelease(cluster, release, here);
    this.theirs = new TestRelease(cluster, release, elsewhere);
  }

  @Test
  void theGuardOfAReleaseOfThatNameInAnotherNamespaceStays() throws Exception {
    ours.register();
    theirs.register();

    assertThat(uninstaller(NO_RELEASE).run()).isTrue();

    assertThat(ours.isRegistered("Validating")).isFalse();
    assertThat(ours.isRegistered("Mutating")).isFalse();
    assertThat(theirs.isRegistered("Validating")).isTrue();
    assertThat(theirs.isRegistered("Mutating")).isTrue();
    assertThat(said()).contains("was not there, but there is one in namespace " + elsewhere);
  }

  @Test
  void theWrongNamespaceIsNoSuccess() throws Exception {
    theirs.register();

    assertThat(uninstaller(NO_RELEASE).show()).isFalse();
    assertThat(said())
        .contains(
            "  there is no release %s in namespace %s; there is one in: %s"
                .formatted(release, here, elsewhere));

    assertThat(uninstaller(NO_RELEASE).run()).isFalse();
    assertThat(theirs.isRegistered("Validating")).isTrue();
  }

  @Test
  void nextToAJanitorAloneTheWrongNamespaceIsNoSuccessEither() throws Exception {
    theirs.deploy();

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
    ours.register("Validating", "Ignore");

    var remover = new Remover(client);

    assertThat(remover.mutating(here))
        .isEqualTo("mutatingwebhookconfigurations/%s: was not there".formatted(here));
    assertThat(remover.validating(here)).contains(": removed (uid ");
    assertThat(ours.isRegistered("Validating")).isFalse();
  }

  @Test
  void whatTheWebhookGoesByToWriteTheOtherConfigurationGoesFirst() throws Exception {
    ours.register();

    uninstaller(NO_RELEASE).run();

    assertThat(said())
        .containsSubsequence(
            "mutatingwebhookconfigurations/%s: removed".formatted(here),
            "validatingwebhookconfigurations/%s: removed".formatted(here));
  }

  @Promise(
      value = "`uninstall --dry-run` lists what it would remove, and removes nothing.",
      breaks = "Separate lists for dry run and run.")
  @Test
  void aDryRunListsWhatARunRemovesAndRemovesNothing() throws Exception {
    ours.register();
    theirs.register();
    var lease = lead();
    ours.disarm();
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
            "  - ValidatingWebhookConfiguration " + here,
            "  - MutatingWebhookConfiguration " + here,
            "  - Service goes",
            "  - leases/shipshape-janitor, made at run time",
            "  - configmaps/shipshape-disarmed, made at run time");
    assertThat(client.configMaps().inNamespace(here).withName("shipshape-disarmed").get())
        .isNotNull();
    assertThat(ours.isRegistered("Validating")).isTrue();
    assertThat(client.raw(lease)).isNotNull();
  }

  @Test
  void whatIsKnownInvalidStaysAndIsSaid() throws Exception {
    var lease = lead();
    ours.disarm();
    var definition = Path.of("../chart/files/knowninvalidconfigurations.yaml");
    client.load(Files.newInputStream(definition)).serverSideApply();

    uninstaller(NO_RELEASE).run();

    assertThat(said())
        .contains(
            "if no other release", "kubectl delete crd knowninvalidconfigurations.shipshape.dev");
    assertThat(client.raw(DEFINITION)).isNotNull();
    assertThat(client.raw(lease)).isNull();
    assertThat(client.configMaps().inNamespace(here).withName("shipshape-disarmed").get()).isNull();
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
    ours.create(
        """
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "%s", "labels": %s,
          "annotations": {"cert-manager.io/certificate-name": "r-webhook"}}}
        """
            .formatted(name, labels));
    return "/api/v1/namespaces/%s/secrets/%s".formatted(here, name);
  }

  private String lead() {
    ours.create(
        """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
         "metadata": {"name": "shipshape-janitor"}}
        """);
    return "/apis/coordination.k8s.io/v1/namespaces/%s/leases/shipshape-janitor".formatted(here);
  }

  private Uninstaller uninstaller(String script) throws IOException {
    var helm = Files.writeString(folder.resolve("helm"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(helm, PosixFilePermissions.fromString("rwx------"));
    var environment = Map.of("HELM_BIN", helm.toString());
    return new Uninstaller(
        client,
        new HelmRelease(Helm.of(environment, List.of(), here), release),
        new Console(new PrintWriter(said, true, StandardCharsets.UTF_8)));
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }
}
