package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.session.CustomResourceStore;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class LogStallTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration AFTER = Duration.ofMinutes(10);
  private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(9));

  private final ListedSessions listed = new ListedSessions(NOW);
  private final LogStall stall = new LogStall(AFTER, listed::list);

  @Test
  void silenceWhileASessionWaitsIsEvidence() {
    listed.pending("a", NOW.minus(AFTER));
    listed.pending("b", NOW);
    assertThat(evaluate(NOW.minus(AFTER)))
        .hasValue("no line since 2026-11-21T11:50:00Z, while 2 sessions wait, one for 10m 0s");
  }

  @Test
  void anOperatorThatSpeaksIsNeverSilentAndNoSessionIsListedForIt() {
    listed.pending("a", NOW.minus(AFTER));
    assertThat(evaluate(NOW.minus(AFTER).plusSeconds(1))).isEmpty();
    assertThat(listed.lists).isZero();
  }

  /** Its lines have the times of a node whose clock is behind. */
  @Test
  void aLogThatGrowsIsNotSilent() {
    listed.pending("a", NOW.minus(AFTER));
    evaluate(stall, LONG_AGO, NOW);

    assertThat(evaluate(stall, LONG_AGO.plusSeconds(30), NOW.plusSeconds(30))).isEmpty();
    assertThat(evaluate(stall, LONG_AGO.plusSeconds(30), NOW.plus(AFTER).plusSeconds(30)))
        .isPresent();
  }

  @Test
  void anOperatorWithNothingToDoMayBeSilent() {
    assertThat(evaluate(LONG_AGO)).isEmpty();
  }

  @Test
  void aSessionThatHasJustComeBreaksNoSilence() {
    listed.pending("a", NOW.minus(AFTER).plusSeconds(1));
    assertThat(evaluate(LONG_AGO)).isEmpty();
  }

  @Test
  void oneWithoutAnyTimeWaitsButNobodyKnowsForHowLong() {
    listed.pending("a", null);
    assertThat(evaluate(LONG_AGO)).isEmpty();
  }

  @Test
  void onlyThoseWaitThatAreNotCompleteAndHaveNoJob(ControlPlane controlPlane, UniqueNames names) {
    try (var cluster = new TestCluster(controlPlane, names.namespace("waiting"))) {
      var started = Instant.now().minus(Duration.ofMinutes(20));
      cluster.createSession("new", "", null);
      cluster.createSession(
          "pending",
          "pending",
          null,
          resource -> session(resource).put("startTime", started.toString()));
      cluster.createSession(
          "running", "running", null, resource -> session(resource).put("job", "cfs-1"));
      cluster.createSession("complete", "complete", Instant.now().toString());
      var sessions = new CustomResourceStore(cluster.client(), cluster.namespace());

      assertThat(evaluate(new LogStall(AFTER, sessions::list), LONG_AGO, Instant.now()))
          .get()
          .asString()
          .containsPattern("while 2 sessions wait, one for (19|20|21)m ");
    }
  }

  @Test
  void whatCannotBeReadIsNoEvidence() {
    listed.pending("a", NOW.minus(AFTER));
    assertThat(evaluate(null)).isEmpty();
  }

  @Test
  void aListIsKeptForFiveMinutes() {
    evaluate(stall, LONG_AGO, NOW);
    evaluate(stall, LONG_AGO, NOW.plusSeconds(299));
    assertThat(listed.lists).isEqualTo(1);
    evaluate(stall, LONG_AGO, NOW.plusSeconds(300));
    assertThat(listed.lists).isEqualTo(2);
  }

  /** What waited may have been what it has logged about since. */
  @Test
  void aListFromBeforeItSpokeIsNoEvidence() {
    var soon = Duration.ofMinutes(2);
    var briefly = new LogStall(soon, listed::list);
    listed.pending("a", NOW.minus(AFTER));
    assertThat(evaluate(briefly, LONG_AGO, NOW)).isPresent();
    listed.clear();
    var spoke = NOW.plusSeconds(10);
    assertThat(evaluate(briefly, spoke, spoke)).isEmpty();
    assertThat(evaluate(briefly, spoke, spoke.plus(soon))).isEmpty();
  }

  @Test
  void aClockThatIsSetBackMakesNoOldListFresh() {
    evaluate(stall, LONG_AGO, NOW);
    evaluate(stall, LONG_AGO, NOW.minus(Duration.ofHours(1)));
    assertThat(listed.lists).isEqualTo(2);
  }

  @Test
  void sessionsThatCannotBeListedAreNoEvidenceAndAskedForAgainOnlyAfterAWhile() {
    listed.pending("a", NOW.minus(AFTER));
    listed.failure = new KubernetesClientException("the sessions cannot be listed");
    assertThat(evaluate(LONG_AGO)).isEmpty();
    listed.failure = null;
    assertThat(evaluate(stall, LONG_AGO, NOW.plusSeconds(299))).isEmpty();
    assertThat(evaluate(stall, LONG_AGO, NOW.plusSeconds(300))).isPresent();
  }

  private Optional<String> evaluate(@Nullable Instant lastActivity) {
    return evaluate(stall, lastActivity, NOW);
  }

  private static Optional<String> evaluate(
      LogStall stall, @Nullable Instant lastActivity, Instant now) {
    var instance = new InstanceHealth(Diagnosis.healthy(), lastActivity, false);
    return stall.evaluate(List.of(instance), now);
  }

  private static ObjectNode session(ObjectNode resource) {
    return (ObjectNode) resource.at("/spec/status/session");
  }
}
