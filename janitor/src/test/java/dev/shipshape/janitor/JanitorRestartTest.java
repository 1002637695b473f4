package dev.shipshape.janitor;

import static dev.shipshape.janitor.TestJanitors.LATER;
import static dev.shipshape.janitor.TestJanitors.daysAgo;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.sandbox.junit.Promise;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A stuck operator, and the janitor that restarts it, or does not. */
class JanitorRestartTest extends WithJanitors {
  @Promise(
      value = "A stuck operator is restarted once, after its sessions are pruned.",
      breaks = "Restarting at each check.")
  @Test
  void aStuckOperatorIsRestartedOnceAfterPruningAndTheCooldownRefusesTheSecondTime()
      throws Exception {
    cluster.createOperator();
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    var stuckSince = LATER.instant();
    janitors.writeLog(stuckSince);
    var janitor = janitors.startLater(true, true);

    var first = janitor.checkOperator(TestJanitors.OPERATOR);
    assertThat(first.refusal()).isEqualTo(RestartRefusal.NOT_CONFIRMED);
    assertThat(first.refusalDetail())
        .as("the same if the pruning deletes nothing")
        .isEqualTo("pruning comes first, if it is armed; judged again at the next check");
    assertThat(cluster.names(cluster.sessions())).isEmpty();
    var idle = janitor.checkOperator(TestJanitors.OPERATOR);
    assertThat(idle.refusal())
        .as("no watch has failed since")
        .isEqualTo(RestartRefusal.NOT_CONFIRMED);
    janitors.goOnFailing();
    var report = janitor.checkOperator(TestJanitors.OPERATOR);
    assertThat(report.restartedAt()).isNotNull();

    var deployment = cluster.get(cluster.deployment());
    var restartedAt = Objects.requireNonNull(report.restartedAt()).toString();
    assertThat(annotation(deployment.at("/spec/template"), "kubectl.kubernetes.io/restartedAt"))
        .isEqualTo(restartedAt)
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    assertThat(annotation(deployment, "shipshape.dev/restarts")).isEqualTo(restartedAt);
    assertThat(annotation(deployment, "shipshape.dev/restart-reason"))
        .startsWith("5 failures from ");
    assertThat(janitors.writes())
        .as("pruned first, then one patch")
        .extracting(event -> event.path("verb").asText())
        .containsExactly("delete", "patch");
    assertThat(janitors.writes().getLast().at("/requestObject/metadata/resourceVersion").asText())
        .as("only as it was judged")
        .isNotEmpty();

    cluster.finishRollout();
    var again = janitor.checkOperator(TestJanitors.OPERATOR);
    assertThat(again.refusal()).isEqualTo(RestartRefusal.COOLDOWN);
    janitor.close();

    var reborn = janitors.startLater(true, true).checkOperator(TestJanitors.OPERATOR);
    assertThat(reborn.refusal())
        .as("what is remembered is in the cluster, not in the process")
        .isEqualTo(RestartRefusal.COOLDOWN);
    assertThat(cluster.names(replicaSets())).hasSize(2);
    assertThat(janitors.counter("restarts", "operator", TestJanitors.OPERATOR)).isEqualTo(1);
  }

  /** Then most sessions are aged, so the limit on a run is met exactly when a restart is due. */
  @Test
  void aLimitThatStopsThePruningForbidsNoRestart() throws Exception {
    cluster.createOperator();
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    janitors.writeLog(LATER.instant());
    var report = janitors.checkTwice(janitors.startWithLimit(1));
    assertThat(report.refusal()).isNull();
    assertThat(report.restartedAt()).isNotNull();
    assertThat(cluster.names(cluster.sessions())).as("nothing was pruned").hasSize(1);
  }

  @Promise(value = "Restarts and pruning are armed separately.", breaks = "One switch for both.")
  @Test
  void restartsAndPruningAreArmedOneByOne() throws Exception {
    cluster.createOperator();
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    janitors.writeLog(LATER.instant());

    var reporting = janitors.startLater(true, false);
    var report = reporting.checkOperator(TestJanitors.OPERATOR);
    assertThat(report.refusal()).isEqualTo(RestartRefusal.NOT_ARMED);
    assertThat(janitors.writes()).isEmpty();
    reporting.close();

    var armed = janitors.startLater(false, true);
    armed.checkOperator(TestJanitors.OPERATOR);
    assertThat(janitors.checkTwice(armed).restartedAt()).isNotNull();
    assertThat(cluster.names(cluster.sessions())).containsExactly(batcher(1));
  }

  private String replicaSets() {
    return "/apis/apps/v1/namespaces/" + cluster.namespace() + "/replicasets";
  }

  private static String annotation(JsonNode object, String name) {
    return object.path("metadata").path("annotations").path(name).asText();
  }
}
