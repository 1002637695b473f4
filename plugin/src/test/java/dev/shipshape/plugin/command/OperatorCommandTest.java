package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.plugin.TestRelease;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a real API server, with what a leading janitor published. */
@ExtendWith(ControlPlaneExtension.class)
class OperatorCommandTest extends WithCommands {
  private static final String STUCK =
      """
      {"pruneArmed": true, "restartArmed": true,
       "operators": [{"operator": "cray-cfs-operator", "at": "2026-11-23T04:10:00Z", "signature": "cfs-1.3",
         "workload": {"kind": "deployment", "namespace": "services", "name": "cray-cfs-operator"},
         "diagnosis": "stuck", "detail": "5 watch failures from x to y",
         "stuckSince": "2026-11-23T04:01:00Z", "silence": "no line since x",
         "governor": "cooldown", "armed": true, "restartReason": "5 watch failures from x to y",
         "refusal": "cooldown", "refusalDetail": "last started a minute ago",
         "restarts": {"last": "2026-11-23T04:00:00Z",
           "ours": ["2026-11-22T04:00:00Z", "2026-11-23T04:00:00Z"],
           "reason": "5 failed watches", "result": "2026-11-23T04:00:00Z cured"}}]}
      """;

  private final ControlPlane cluster;
  private final UniqueNames names;
  private final String namespace;
  private KubernetesClient client;

  OperatorCommandTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.names = names;
    this.namespace = names.namespace("operator");
  }

  @BeforeEach
  void start() {
    client = ApiConnection.open(cluster.kubeconfig(), null);
  }

  @AfterEach
  void stop() {
    client.close();
  }

  @Test
  void aStuckOperatorIsShownWithItsSignalsItsRestartsAndWhatHappensNext() {
    janitor();
    PublishedStatus.publish(client, namespace, Instant.now(), STUCK);

    var exit = operator();

    assertThat(exit).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .containsExactly(
            "leader        pod-one_1",
            "operator      cray-cfs-operator",
            "workload      deployment services/cray-cfs-operator",
            "signature     cfs-1.3",
            "diagnosis     STUCK since 2026-11-23T04:01:00Z; not restarted: cooldown: last started"
                + " a minute ago",
            "since         2026-11-23T04:10:00Z",
            "signals       silence: no line since x",
            "governor      cooldown",
            "restarts      armed",
            "last restart  2026-11-23T04:00:00Z",
            "by janitors   2026-11-22T04:00:00Z, 2026-11-23T04:00:00Z",
            "reason        5 failed watches",
            "result        2026-11-23T04:00:00Z cured",
            "next          a restart whenever it is stuck and nothing forbids it");
  }

  @Test
  void programsReadTheSame() throws Exception {
    janitor();
    PublishedStatus.publish(client, namespace, Instant.now(), STUCK);

    assertThat(operator("-o", "json")).isEqualTo(ExitCode.OK);
    var operator = new ObjectMapper().readTree(out.toString()).at("/status/operators/0");
    assertThat(operator.path("diagnosis").asText()).isEqualTo("stuck");
    assertThat(operator.path("stuckSince").asText()).isEqualTo("2026-11-23T04:01:00Z");
    assertThat(operator.path("refusal").asText()).isEqualTo("cooldown");

    assertThat(operator("-o", "yaml")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("diagnosis: \"stuck\"");
  }

  @Test
  void allAreShown() {
    janitor();
    var other =
        STUCK.replace(
            "\"operators\": [",
            "\"operators\": [{\"operator\": \"other\", \"at\": \"2026-11-23T04:10:00Z\","
                + " \"signature\": \"cfs-1.4\", \"workload\": {\"kind\": \"statefulset\","
                + " \"namespace\": \"b\", \"name\": \"a\"}, \"diagnosis\": \"stuck\", \"detail\":"
                + " \"\", \"stuckSince\": \"2026-11-23T04:01:00Z\", \"armed\": true, \"refusal\":"
                + " \"other-remedy\", \"refusalDetail\": \"Drain\\u001b it.\"}, ");
    PublishedStatus.publish(client, namespace, Instant.now(), other);

    assertThat(operator()).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .contains(
            "operator      other",
            "workload      statefulset b/a",
            "next          no restart, which would not help: Drain? it.",
            "operator      cray-cfs-operator");
    assertThat(operator("--output", "json")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("\"other\"", "\"cray-cfs-operator\"");
  }

  @Test
  void anOperatorThatIsNotStuckIsWatchedOn() {
    janitor();
    PublishedStatus.publish(client, namespace, Instant.now(), PublishedStatus.WELL);

    assertThat(operator()).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .contains(
            "diagnosis     not stuck, by its log",
            "signals       none",
            "by janitors   2026-11-22T04:00:00Z",
            "next          a restart whenever it is stuck and nothing forbids it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "unreadable", "detail": "answered 500", "stuckSince": "2026-11-23T04:01:00Z" | unknown: answered 500; it was stuck from 2026-11-23T04:01:00Z
          "unreadable", "detail": "it is scaled to 0" | unknown: it is scaled to 0
          "healthy", "detail": "" | not stuck, by its log; but silent: no line since x; not restarted: cooldown: last started a minute ago
          """)
  void whatTheLastCheckCouldNotReadAndAnArmedSilenceAreSaid(String diagnosis, String line) {
    janitor();
    var status = STUCK.replaceFirst("(?s)\"stuck\".*04:01:00Z\"", diagnosis);
    PublishedStatus.publish(client, namespace, Instant.now(), status);

    assertThat(operator()).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .contains(
            "diagnosis     " + line,
            "next          a restart whenever it is stuck and nothing forbids it");
  }

  @Test
  void whatNobodySeesNowIsSaidToBeUnknown() {
    janitor();
    assertThat(operator()).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .containsExactly("leader        none", "diagnosis     unknown: no janitor leads");

    PublishedStatus.publish(client, namespace, Instant.now().minusSeconds(60), STUCK);
    assertThat(operator()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains(
            "unknown: no janitor leads; as last seen, since 2026-11-23T04:10:00Z: STUCK since",
            "next          nothing until a janitor leads");
  }

  @Test
  void aNamespaceWithoutAJanitorIsAnErrorThatNamesItAndThoseThatHaveOne() {
    var other = names.namespace("janitor");
    new TestRelease(cluster, other).settings(Map.of("janitor.yaml", ""));

    assertThat(operator()).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(err.toString())
        .containsPattern(
            "there is no release with a janitor in namespace %s, but there is one in .*%s"
                .formatted(namespace, other));
  }

  private void janitor() {
    new TestRelease(cluster, namespace).settings(Map.of("janitor.yaml", ""));
  }

  private int operator(String... more) {
    var line = new ArrayList<>(List.of("operator", "-n", namespace));
    line.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString()));
    line.addAll(List.of(more));
    return run(line.toArray(String[]::new));
  }
}
