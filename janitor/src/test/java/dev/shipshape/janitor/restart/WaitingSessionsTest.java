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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class WaitingSessionsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
  private final ListedSessions listed = new ListedSessions(NOW);
  private final WaitingSessions waiting = new WaitingSessions(listed::list, now::get);

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

      var found = new WaitingSessions(sessions::list, Instant::now).recent().orElseThrow();
      assertThat(found.count()).isEqualTo(2);
      assertThat(found.longest()).isBetween(Duration.ofMinutes(19), Duration.ofMinutes(22));
    }
  }

  @Test
  void oneWithoutAnyTimeWaitsButNobodyKnowsForHowLong() {
    listed.pending("a", null);
    assertThat(waiting.recent()).hasValue(new WaitingSessions.Waiting(1, Duration.ZERO));
  }

  @Test
  void aListIsKeptForFiveMinutes() {
    waiting.recent();
    now.set(NOW.plusSeconds(299));
    waiting.recent();
    assertThat(listed.lists).isEqualTo(1);
    now.set(NOW.plusSeconds(300));
    waiting.recent();
    assertThat(listed.lists).isEqualTo(2);
  }

  @Test
  void aClockThatIsSetBackMakesNoOldListFresh() {
    waiting.recent();
    now.set(NOW.minus(Duration.ofHours(1)));
    waiting.recent();
    assertThat(listed.lists).isEqualTo(2);
  }

  @Test
  void sessionsThatCannotBeListedAreAskedForAgainOnlyAfterAWhile() {
    listed.failure = new KubernetesClientException("no sessions were found");
    assertThat(waiting.recent()).isEmpty();
    listed.failure = null;
    now.set(NOW.plusSeconds(299));
    assertThat(waiting.recent()).isEmpty();
    now.set(NOW.plusSeconds(300));
    assertThat(waiting.recent()).isPresent();
  }

  private static ObjectNode session(ObjectNode resource) {
    return (ObjectNode) resource.at("/spec/status/session");
  }
}
