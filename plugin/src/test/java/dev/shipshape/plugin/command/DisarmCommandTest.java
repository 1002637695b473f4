package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.TestRelease;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** On a real API server, while nothing else works: there is no Helm, and no pod. */
@ExtendWith(ControlPlaneExtension.class)
class DisarmCommandTest {
  private final ControlPlane cluster;
  private final String namespace;
  private final String elsewhere;
  private final TestRelease release;
  private FaultyApi faulty;
  private KubernetesClient client;

  @TempDir private Path folder = Path.of("");

  DisarmCommandTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.namespace("disarm");
    this.elsewhere = names.namespace("elsewhere");
    this.release = new TestRelease(cluster, namespace);
  }

  @BeforeEach
  void start() throws IOException {
    faulty = FaultyApi.start(cluster);
    client = ApiConnection.open(cluster.kubeconfig(), null);
    release.register();
  }

  @AfterEach
  void stop() {
    client.close();
    faulty.close();
  }

  @Promise(
      value =
          "`disarm --now` makes the ConfigMap `shipshape-disarmed` and disarms the guard at once.",
      breaks = "Deleting the configuration first, which a replica writes anew.")
  @Test
  void theGuardIsGoneStaysGoneAndHowToArmItAgainIsSaid() throws Exception {
    var ended = disarm(namespace, "--now");

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.OK);
    assertThat(release.isRegistered("Validating")).isFalse();
    assertThat(release.isRegistered("Mutating")).isTrue();
    assertThat(since()).startsWith("2");
    assertThat(ended.said())
        .contains("configmaps/shipshape-disarmed: made")
        .contains("validatingwebhookconfigurations/%s: removed".formatted(namespace))
        .contains("within seconds this release refuses no write")
        .contains(
            "kubectl -n %s delete configmap shipshape-disarmed --kubeconfig ".formatted(namespace))
        .contains("upgrade %1$s -n %1$s".formatted(namespace))
        .contains("--arm guard");
    // A replica that lives would write anew what goes before that.
    assertThat(faulty.requests(""))
        .containsSubsequence(
            "POST /api/v1/namespaces/%s/configmaps".formatted(namespace),
            "DELETE " + release.path("Validating"));
  }

  @Test
  void whatIsDisarmedAlreadyIsASuccess() throws Exception {
    disarm(namespace, "--now");

    var again = disarm(namespace, "--now");

    assertThat(again.exit()).as(again.said()).isEqualTo(ExitCode.OK);
    assertThat(again.said()).contains("configmaps/shipshape-disarmed: was there already");
  }

  @Test
  void theGuardGoesThoughItCannotBeKeptFromComingBackAndThatIsSaid() throws Exception {
    faulty.always(request -> request.startsWith("POST"), FaultyApi.refuse(403));

    var ended = disarm(namespace, "--now");

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.FOUND);
    assertThat(release.isRegistered("Validating")).isFalse();
    assertThat(ended.said()).contains("FAILED: configmaps/shipshape-disarmed could not be made");

    var again = disarm(namespace, "--now");

    assertThat(again.exit()).as(again.said()).isEqualTo(ExitCode.FOUND);
    assertThat(again.said()).as("none was there").doesNotContain("removed");
  }

  @Test
  void aLostAnswerIsNotTakenForARefusal() throws Exception {
    faulty.always(request -> request.startsWith("POST"), faulty.executeAndThen(FaultyApi.hangUp()));

    assertThat(disarm(namespace, "--now").said())
        .contains("configmaps/shipshape-disarmed may not have been made (run this again)");

    faulty.heal();
    assertThat(disarm(namespace, "--now").exit()).isEqualTo(ExitCode.OK);
  }

  /** With rights in the namespace only: the replicas see to the rest. */
  @Test
  void whoMayNotRemoveTheConfigurationIsToldWhoDoes() throws Exception {
    faulty.always(
        request -> request.contains("admissionregistration.k8s.io"), FaultyApi.refuse(403));

    var ended = disarm(namespace, "--now");

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.FOUND);
    assertThat(ended.said()).contains("a running replica removes", "403");
  }

  /** As of a firewall or a sign-in page before the API server, which refuses writes. */
  @Test
  void anotherAnswerThanTheApiServersIsNoRemoval() throws Exception {
    for (var page :
        List.of("<html>login</html>", "{login", "{\"error\": \"expired\"}", "null", "")) {
      faulty.once(request -> request.startsWith("DELETE"), FaultyApi.respondWith(page));

      var ended = disarm(namespace, "--now");

      assertThat(ended.exit()).as("%s: %s", page, ended.said()).isEqualTo(ExitCode.FOUND);
      assertThat(ended.said()).contains("proxy").doesNotContain(": removed", "login");
    }
  }

  @Test
  void aConfigurationThatIsWrittenMeanwhileGoesAllTheSame() throws Exception {
    faulty.once(
        request -> request.startsWith("DELETE"),
        faulty.after(
            () ->
                client
                    .admissionRegistration()
                    .v1()
                    .validatingWebhookConfigurations()
                    .withName(namespace)
                    .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"labels\": {\"x\": \"y\"}}}")));

    var ended = disarm(namespace, "--now");

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.OK);
    assertThat(release.isRegistered("Validating")).isFalse();
  }

  @Test
  void theWrongNamespaceIsNoSuccessAndNamesTheRightOne() throws Exception {
    var ended = disarm(elsewhere, "--now");

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.FOUND);
    assertThat(ended.said())
        .contains(
            "no webhook configurations of %1$s in namespace %2$s; there is one in namespace %1$s"
                .formatted(namespace, elsewhere))
        .doesNotContain("to arm again");
    assertThat(release.isRegistered("Validating")).isTrue();
    assertThat(client.configMaps().inNamespace(elsewhere).withName("shipshape-disarmed").get())
        .as("guards of others stay armed")
        .isNull();
  }

  /** Its configurations outlive it where nobody owns them. */
  @Test
  void aNamespaceThatIsGoneIsNoHindrance() throws Exception {
    var gone = namespace + "-gone";
    var left = new TestRelease(cluster, gone);
    left.register();

    var ended = run(gone, gone);

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.OK);
    assertThat(left.isRegistered("Validating")).isFalse();
    assertThat(ended.said())
        .contains(
            "namespace %s is absent".formatted(gone), "no ValidatingWebhookConfiguration is left")
        .doesNotContain("FAILED", "delete configmap");

    client.raw(left.path("Mutating"), "DELETE", null);
    assertThat(run(gone, gone).exit()).isEqualTo(ExitCode.OK);
  }

  @Test
  void aNamespaceThatIsGoingIsNoHindranceEither() throws Exception {
    var configMaps = "/api/v1/namespaces/%s/configmaps".formatted(elsewhere);
    client.raw(
        configMaps, "POST", "{\"metadata\": {\"name\": \"x\", \"finalizers\": [\"a.b/c\"]}}");
    client.namespaces().withName(elsewhere).delete();
    var going = new TestRelease(cluster, elsewhere);
    going.register("Validating", "Ignore");

    var ended = run(elsewhere, elsewhere);

    client.configMaps().inNamespace(elsewhere).withName("x").edit(DisarmCommandTest::released);
    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.OK);
    assertThat(going.isRegistered("Validating")).isFalse();
  }

  private static ConfigMap released(ConfigMap held) {
    held.getMetadata().setFinalizers(List.of());
    return held;
  }

  @Test
  void aNamespaceThatIsNotThereIsNoSuccessWhereTheReleaseIsInAnotherOne() throws Exception {
    var ended = run(namespace, namespace + "-typo");

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.FOUND);
    assertThat(ended.said()).contains("; there is one in namespace " + namespace);
  }

  @Test
  void whoDoesNotSayNowIsToldTheOrdinaryWay() throws Exception {
    var ended = disarm(namespace);

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.said())
        .contains("say --now")
        .containsPattern("the ordinary way is: .*upgrade .* --disarm guard");
    assertThat(release.isRegistered("Validating")).isTrue();
  }

  private PluginRun.Ended disarm(String where, String... more) throws Exception {
    var line = new ArrayList<>(List.of("disarm", namespace, "-n", where));
    line.addAll(List.of(more));
    return new PluginRun(folder, namespace, faulty.address()).run(line.toArray(String[]::new));
  }

  private PluginRun.Ended run(String release, String where) throws Exception {
    return new PluginRun(folder, namespace, faulty.address())
        .run("disarm", release, "-n", where, "--now");
  }

  private String since() {
    var disarmed = client.configMaps().inNamespace(namespace).withName("shipshape-disarmed").get();
    return String.valueOf(disarmed.getData().get("since"));
  }
}
