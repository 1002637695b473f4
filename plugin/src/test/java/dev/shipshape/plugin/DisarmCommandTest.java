package dev.shipshape.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** As a process, on a real API server, while nothing else works: there is no Helm, and no pod. */
@ExtendWith(ControlPlaneExtension.class)
class DisarmCommandTest {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  private final ControlPlane cluster;
  private final String namespace;
  private final String elsewhere;
  private FaultyApi faulty;
  private KubernetesClient client;

  @TempDir private Path folder = Path.of("");

  DisarmCommandTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.namespace("disarm");
    this.elsewhere = names.namespace("elsewhere");
  }

  @BeforeEach
  void start() throws IOException {
    faulty = FaultyApi.start(cluster);
    client = ApiConnection.open(cluster.kubeconfig(), null);
    register("Mutating");
    register("Validating");
  }

  @AfterEach
  void stop() {
    client.close();
    faulty.close();
  }

  @Test
  void theGuardIsGoneStaysGoneAndHowToArmItAgainIsSaid() throws Exception {
    var ended = disarm(namespace, "--now");

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.OK);
    assertThat(isThere("Validating")).isFalse();
    assertThat(isThere("Mutating")).isTrue();
    assertThat(disarmed().path("data").path("since").asText()).startsWith("2");
    assertThat(ended.said())
        .contains("configmaps/shipshape-disarmed: made")
        .contains("validatingwebhookconfigurations/%s: removed".formatted(namespace))
        .contains("API servers know within seconds")
        .contains("kubectl -n %s delete configmap shipshape-disarmed".formatted(namespace))
        .contains("upgrade %1$s -n %1$s".formatted(namespace))
        .contains("--arm guard");
    // A replica that lives would write anew what goes before that.
    assertThat(faulty.requests(""))
        .containsSubsequence(
            "POST /api/v1/namespaces/%s/configmaps".formatted(namespace),
            "DELETE " + path("Validating") + "/" + namespace);
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
    assertThat(isThere("Validating")).isFalse();
    assertThat(ended.said())
        .contains("NOT AS EXPECTED: configmaps/shipshape-disarmed could not be made");
  }

  @Test
  void aConfigurationThatIsWrittenMeanwhileGoesAllTheSame() throws Exception {
    var label = new ObjectMapper().createObjectNode();
    label.withObject("/metadata/labels").put("x", "y");
    faulty.once(
        request -> request.startsWith("DELETE"),
        faulty.after(
            () ->
                api()
                    .mergePatch(path("Validating") + "/" + namespace, label)
                    .requireSuccess("PATCH")));

    var ended = disarm(namespace, "--now");

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.OK);
    assertThat(isThere("Validating")).isFalse();
  }

  @Test
  void theWrongNamespaceIsNoSuccessAndNamesTheRightOne() throws Exception {
    var ended = disarm(elsewhere, "--now");

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.FOUND);
    assertThat(ended.said())
        .contains(
            "no webhook configurations of %1$s in namespace %2$s, but there are in namespace %1$s"
                .formatted(namespace, elsewhere));
    assertThat(isThere("Validating")).isTrue();
  }

  @Test
  void whoDoesNotSayNowIsToldTheOrdinaryWay() throws Exception {
    var ended = disarm(namespace);

    assertThat(ended.exit()).as(ended.said()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.said())
        .contains("say --now")
        .containsPattern("the ordinary way is: .*upgrade .* --disarm guard");
    assertThat(isThere("Validating")).isTrue();
  }

  private PluginProcess.Ended disarm(String where, String... more) throws Exception {
    var line = new ArrayList<>(List.of("disarm", namespace, "-n", where));
    line.addAll(List.of(more));
    return new PluginProcess(folder, faulty.address()).run(line.toArray(String[]::new));
  }

  private void register(String kind) throws IOException {
    var configuration =
        """
        {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "%1$sWebhookConfiguration",
         "metadata": {"name": "%2$s", "labels": {"app.kubernetes.io/instance": "%2$s",
           "app.kubernetes.io/part-of": "shipshape"}},
         "webhooks": [{"name": "nodeconfig.validate.shipshape.dev", "sideEffects": "None",
           "rules": [], "admissionReviewVersions": ["v1"], "failurePolicy": "Ignore",
           "clientConfig": {"service": {"name": "shipshape", "namespace": "%2$s"}}}]}
        """
            .formatted(kind, namespace);
    api().post(path(kind), new ObjectMapper().readTree(configuration)).requireSuccess("POST");
  }

  private boolean isThere(String kind) {
    return api().find(path(kind) + "/" + namespace).isPresent();
  }

  private JsonNode disarmed() {
    var path = "/api/v1/namespaces/%s/configmaps/shipshape-disarmed".formatted(namespace);
    return api().require(path).body();
  }

  private static String path(String kind) {
    return REGISTRATION + kind.toLowerCase(Locale.ROOT) + "webhookconfigurations";
  }

  private KubernetesApi api() {
    return new KubernetesApi(client);
  }
}
