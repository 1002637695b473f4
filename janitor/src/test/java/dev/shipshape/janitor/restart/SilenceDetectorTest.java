package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.prune.FakeStore;
import dev.shipshape.janitor.session.CustomResourceStore;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.Times;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class SilenceDetectorTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration AFTER = Duration.ofMinutes(10);
  private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(9));

  private final List<Session> listed = new ArrayList<>();
  private final SilenceDetector silence = new SilenceDetector(AFTER, this::list);
  private @Nullable KubernetesClientException failure;
  private int lists;

  @Test
  void silenceWhileASessionWaitsIsEvidence() {
    pending("a", NOW.minus(AFTER));
    pending("b", NOW);
    assertThat(evaluate(NOW.minus(AFTER)))
        .hasValue("no line since 2026-11-21T11:50:00Z, while 2 sessions wait, one for 10m 0s");
  }

  @Test
  void anOperatorThatSpeaksIsNeverSilentAndNoSessionIsListedForIt() {
    pending("a", NOW.minus(AFTER));
    assertThat(evaluate(NOW.minus(AFTER).plusSeconds(1))).isEmpty();
    assertThat(lists).isZero();
  }

  /** Its lines have the times of a node whose clock is behind. */
  @Test
  void aLogThatGrowsIsNotSilent() {
    pending("a", NOW.minus(AFTER));
    evaluate(silence, LONG_AGO, NOW);

    assertThat(evaluate(silence, LONG_AGO.plusSeconds(30), NOW.plusSeconds(30))).isEmpty();
    assertThat(evaluate(silence, LONG_AGO.plusSeconds(30), NOW.plus(AFTER).plusSeconds(30)))
        .isPresent();
  }

  @Test
  void anOperatorWithNothingToDoMayBeSilent() {
    assertThat(evaluate(LONG_AGO)).isEmpty();
  }

  @Test
  void aSessionThatHasJustComeBreaksNoSilence() {
    pending("a", NOW.minus(AFTER).plusSeconds(1));
    assertThat(evaluate(LONG_AGO)).isEmpty();
  }

  @Test
  void oneWithoutAnyTimeWaitsButNobodyKnowsForHowLong() {
    pending("a", null);
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

      assertThat(evaluate(new SilenceDetector(AFTER, sessions::list), LONG_AGO, Instant.now()))
          .get()
          .asString()
          .containsPattern("while 2 sessions wait, one for (19|20|21)m ");
    }
  }

  @Test
  void whatCannotBeReadIsNoEvidence() {
    pending("a", NOW.minus(AFTER));
    assertThat(evaluate(null)).isEmpty();
  }

  @Test
  void aListIsKeptForFiveMinutes() {
    evaluate(silence, LONG_AGO, NOW);
    evaluate(silence, LONG_AGO, NOW.plusSeconds(299));
    assertThat(lists).isEqualTo(1);
    evaluate(silence, LONG_AGO, NOW.plusSeconds(300));
    assertThat(lists).isEqualTo(2);
  }

  /** What waited may have been what it has logged about since. */
  @Test
  void aListFromBeforeItSpokeIsNoEvidence() {
    var soon = Duration.ofMinutes(2);
    var briefly = new SilenceDetector(soon, this::list);
    pending("a", NOW.minus(AFTER));
    assertThat(evaluate(briefly, LONG_AGO, NOW)).isPresent();
    listed.clear();
    var spoke = NOW.plusSeconds(10);
    assertThat(evaluate(briefly, spoke, spoke)).isEmpty();
    assertThat(evaluate(briefly, spoke, spoke.plus(soon))).isEmpty();
  }

  @Test
  void aClockThatIsSetBackMakesNoOldListFresh() {
    evaluate(silence, LONG_AGO, NOW);
    evaluate(silence, LONG_AGO, NOW.minus(Duration.ofHours(1)));
    assertThat(lists).isEqualTo(2);
  }

  @Test
  void sessionsThatCannotBeListedAreNoEvidenceAndAskedForAgainOnlyAfterAWhile() {
    pending("a", NOW.minus(AFTER));
    failure =
        new KubernetesClientException(
            "Failure executing: GET at: x. Received status: Status(message=no right)",
            403,
            new StatusBuilder().withMessage("no right").build());
    try (var log = new CapturedLog()) {
      assertThat(evaluate(LONG_AGO)).isEmpty();
      assertThat(log.lines("could not list the sessions"))
          .singleElement()
          .asString()
          .endsWith("403: no right");
    }
    failure = null;
    assertThat(evaluate(silence, LONG_AGO, NOW.plusSeconds(299))).isEmpty();
    assertThat(evaluate(silence, LONG_AGO, NOW.plusSeconds(300))).isPresent();
  }

  private void pending(String name, @Nullable Instant created) {
    var times = new Times(created, null, null, null);
    listed.add(new Session("services", name, name, "1", "pending", times, null, Set.of()));
  }

  private SessionList list() {
    lists++;
    if (failure != null) {
      throw failure;
    }
    return new FakeStore(NOW, listed.toArray(Session[]::new)).list();
  }

  private Optional<String> evaluate(@Nullable Instant lastActivity) {
    return evaluate(silence, lastActivity, NOW);
  }

  private static Optional<String> evaluate(
      SilenceDetector silence, @Nullable Instant lastActivity, Instant now) {
    var instance = new InstanceHealth(Diagnosis.healthy(), lastActivity, false);
    return silence.evaluate(List.of(instance), now);
  }

  private static ObjectNode session(ObjectNode resource) {
    return (ObjectNode) resource.at("/spec/status/session");
  }
}
