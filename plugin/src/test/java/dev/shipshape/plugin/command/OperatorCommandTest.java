package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Kubeconfig;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** On a real API server, with the metrics of two janitors of which one leads. */
@ExtendWith(ControlPlaneExtension.class)
class OperatorCommandTest {
  private static final String STANDBY =
      """
      shipshape_janitor_leader 0.0
      shipshape_janitor_armed{task="restart"} 1.0
      shipshape_janitor_governor{state="standby"} 1.0
      """;

  private static final String LEADER =
      """
      shipshape_janitor_leader 1.0
      shipshape_janitor_armed{task="restart"} 1.0
      shipshape_janitor_operator_log_readable 1.0
      shipshape_janitor_operator_stuck_since_timestamp_seconds 0.0
      shipshape_janitor_signals_present{kind="silence"} 0.0
      shipshape_janitor_governor{state="ready"} 1.0
      shipshape_janitor_governor{state="cooling"} 0.0
      shipshape_janitor_restart_refused{reason="cooldown"} 0.0
      shipshape_janitor_sessions_waiting 0.0
      shipshape_janitor_sessions_waiting_longest_seconds 0.0
      """;

  private static final String STUCK =
      LEADER
          .replace("stuck_since_timestamp_seconds 0.0", "stuck_since_timestamp_seconds 1.7E9")
          .replace("{kind=\"silence\"} 0.0", "{kind=\"silence\"} 1.0")
          .replace("{state=\"ready\"} 1.0", "{state=\"ready\"} 0.0")
          .replace("{state=\"cooling\"} 0.0", "{state=\"cooling\"} 1.0")
          .replace("{reason=\"cooldown\"} 0.0", "{reason=\"cooldown\"} 1.0")
          .replace("sessions_waiting 0.0", "sessions_waiting 3.0")
          .replace("longest_seconds 0.0", "longest_seconds 600.0");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ControlPlane cluster;
  private final String namespace;
  private FaultyApi faulty;
  private KubernetesClient client;

  @TempDir private Path folder = Path.of("");

  OperatorCommandTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.namespace("operator");
  }

  @BeforeEach
  void start() throws IOException {
    faulty = FaultyApi.start(cluster);
    client = ApiConnection.open(cluster.kubeconfig(), null);
  }

  @AfterEach
  void stop() {
    client.close();
    faulty.close();
  }

  @Test
  void aStuckOperatorIsShownWithItsSignalsItsRestartsAndWhatHappensNext() throws Exception {
    janitors(STUCK);
    deployment(
        """
        {"shipshape.dev/restarts": "2026-11-22T04:00:00Z,2026-11-23T04:00:00Z",
         "shipshape.dev/restart-count": "7",
         "shipshape.dev/restart-reason": "5 failed watches",
         "shipshape.dev/restart-result": "2026-11-23T04:00:00Z cured"}
        """);

    var exit = operator();

    assertThat(exit).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .containsExactly(
            "deployment    %s/cray-cfs-operator".formatted(namespace),
            "diagnosis     STUCK since 2023-11-14T22:13:20Z; not restarted: cooldown",
            "signals       silence",
            "waiting       3 sessions without a Job, the oldest for 600 s",
            "governor      cooling",
            "restarts      armed",
            "last restart  2026-11-23T04:00:00Z",
            "by janitors   7 in all; the last ones: 2026-11-22T04:00:00Z, 2026-11-23T04:00:00Z",
            "reason        5 failed watches",
            "result        2026-11-23T04:00:00Z cured",
            "next          a restart once the cooldown is over, if it is still stuck");
  }

  @Test
  void programsReadTheSame() throws Exception {
    janitors(STUCK);
    deployment("{}");

    assertThat(operator("-o", "json")).isEqualTo(ExitCode.OK);
    var json = new ObjectMapper().readTree(out.toString());
    assertThat(json.path("diagnosis").asText()).isEqualTo("stuck");
    assertThat(json.path("stuckSince").asText()).isEqualTo("2023-11-14T22:13:20Z");
    assertThat(json.path("notRestarted").asText()).isEqualTo("cooldown");
    assertThat(json.path("waitingSessions").asInt()).isEqualTo(3);

    out.getBuffer().setLength(0);
    assertThat(operator("-o", "yaml")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("diagnosis: \"stuck\"");
  }

  @Test
  void anOperatorThatIsNotStuckIsWatchedOn() throws Exception {
    janitors(LEADER);
    deployment("{}");

    assertThat(operator()).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .contains(
            "diagnosis     not stuck, by its log",
            "signals       none",
            "by janitors   none",
            "next          a restart once it is stuck");
  }

  @Test
  void withoutALeadingJanitorAndWithoutADeploymentThatIsSaid() throws Exception {
    janitors(STANDBY);

    assertThat(operator()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains(
            "no Deployment %s/cray-cfs-operator; check operator.namespace and operator.deployment"
                .formatted(namespace));

    deployment("{}");
    out.getBuffer().setLength(0);
    assertThat(operator()).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .contains(
            "diagnosis     unknown: the metrics of a leading janitor could not be read",
            "governor      not known");
  }

  @Test
  void aNamespaceWithoutAReleaseIsAnErrorThatNamesTheRelease() throws Exception {
    assertThat(operator()).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(err.toString())
        .contains("there is no janitor of release shipshape in namespace " + namespace);
  }

  private void janitors(String leader) {
    var labels =
        """
        {"app.kubernetes.io/instance": "shipshape", "app.kubernetes.io/part-of": "shipshape",
         "app.kubernetes.io/component": "webhook"}
        """;
    create(
        "/api/v1/namespaces/%s/configmaps".formatted(namespace),
        """
        {"metadata": {"name": "settings", "labels": %s},
         "data": {"janitor.yaml": "apiVersion: shipshape.dev/v1\\noperator: {namespace: %s}"}}
        """
            .formatted(labels, namespace));
    pod("one", labels, STANDBY);
    pod("two", labels, leader);
  }

  private void pod(String name, String labels, String metrics) {
    create(
        "/api/v1/namespaces/%s/pods".formatted(namespace),
        """
        {"metadata": {"name": "%s", "labels": %s},
         "spec": {"automountServiceAccountToken": false, "containers": [
           {"name": "janitor", "image": "none", "ports": [
             {"name": "janitor-metrics", "containerPort": 8081}]}]}}
        """
            .formatted(name, labels));
    faulty.always(
        request -> request.endsWith("/pods/%s:8081/proxy/metrics".formatted(name)),
        FaultyApi.say(metrics));
  }

  private void deployment(String annotations) {
    create(
        "/apis/apps/v1/namespaces/%s/deployments".formatted(namespace),
        """
        {"metadata": {"name": "cray-cfs-operator", "annotations": %s},
         "spec": {"paused": true, "selector": {"matchLabels": {"app": "x"}},
           "template": {"metadata": {"labels": {"app": "x"},
               "annotations": {"kubectl.kubernetes.io/restartedAt": "2026-11-23T04:00:00Z"}},
             "spec": {"containers": [{"name": "cray-cfs-operator", "image": "none"}]}}}}
        """
            .formatted(annotations));
  }

  private void create(String path, String json) {
    client.raw(path, "POST", json);
  }

  private int operator(String... more) throws IOException {
    var config =
        Files.writeString(
            folder.resolve("config"), Kubeconfig.anybodyAt(faulty.address().toString()));
    var line = new ArrayList<>(List.of("operator", "-n", namespace));
    line.addAll(List.of("--kubeconfig", config.toString()));
    line.addAll(List.of(more));
    return Shipshape.run(
        new PrintWriter(out, true), new PrintWriter(err, true), line.toArray(String[]::new));
  }
}
