package dev.shipshape.webhook.timeout;

import static dev.shipshape.webhook.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.KnownInvalidIndex;
import dev.shipshape.webhook.index.Projection;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What counts while objects, nodes and the clock change. */
class TimeoutsTest {
  private static final Instant START = Instant.parse("2026-08-06T16:00:00Z");
  private static final int BAD = 1;
  private static final int GOOD = 2;

  private final Guard guard;
  private final Map<String, NodeState> nodes = new HashMap<>();
  private final Timeouts timeouts;
  private final KnownInvalidIndex index = new KnownInvalidIndex();
  private Instant now = START;

  TimeoutsTest() throws Exception {
    guard = NodeGuards.of("t-caas");
    nodes.put("worker-1", new NodeState.Ready(START.minusSeconds(100)));
    timeouts =
        Timeouts.of(
            List.of(guard),
            new TimeLimits(Duration.ofMinutes(2), Duration.ofMinutes(10)),
            name -> nodes.getOrDefault(name, NodeState.GONE),
            () -> now);
  }

  @Test
  void whatIsStuckCountsUntilItsStatusIsWrittenAnew() {
    seen(config(BAD, START, "provisioning", START));
    assertThat(lateAfter(120)).isEmpty();

    assertThat(lateAfter(121))
        .singleElement()
        .satisfies(
            late -> {
              assertThat(late.object()).isEqualTo("worker-1");
              assertThat(late.isReplaced()).isFalse();
              assertThat(late.reason())
                  .isEqualTo(
                      "has been provisioning on worker-1 since 2026-08-06T16:00:00Z, longer than"
                          + " 120 s");
            });
    assertThat(timeouts.size(guard)).isEqualTo(1);

    seen(config(BAD, START, "provisioning", START.plusSeconds(122)));
    assertThat(lateAfter(123)).isEmpty();
    assertThat(lateAfter(243)).hasSize(1);
    seen(config(BAD, START, "provisioned", START.plusSeconds(244)));
    assertThat(late()).isEmpty();
    assertThat(timeouts.size(guard)).isZero();
  }

  @Test
  void whatReplacesItHasItsOwnTimeAndLeavesItCounting() {
    seen(config(BAD, START, "provisioning", START));
    assertThat(lateAfter(130)).hasSize(1);

    seen(config(GOOD, START.plusSeconds(130), "provisioning", START));

    assertThat(lateAfter(3_600))
        .singleElement()
        .satisfies(late -> assertThat(late.isReplaced()).isTrue());
    assertThat(timeouts.of(guard, hash(GOOD))).as("the status is about the other").isEmpty();

    seen(config(GOOD, START.plusSeconds(130), "provisioning", START.plusSeconds(3_700)));
    assertThat(late()).isEmpty();
  }

  @Test
  void whatIsReplacedInTimeNeverCounts() {
    seen(config(BAD, START, "provisioning", START));
    assertThat(lateAfter(60)).isEmpty();

    seen(config(GOOD, START.plusSeconds(60), "provisioning", START));

    assertThat(lateAfter(3_600)).isEmpty();
  }

  @Test
  void noStatusIsCountedSinceTheConfigurationWasWritten() {
    seen(config(BAD, START.plusSeconds(300), "", START));

    assertThat(lateAfter(900)).isEmpty();
    assertThat(lateAfter(901))
        .singleElement()
        .satisfies(
            late -> assertThat(late.reason()).startsWith("has had no status on worker-1 since"));

    seen(config(GOOD, START.plusSeconds(1_000), "", START));
    assertThat(lateAfter(1_001)).as("the one before").hasSize(1);
    assertThat(timeouts.of(guard, hash(GOOD))).isEmpty();
    lateAfter(1_601);
    assertThat(timeouts.of(guard, hash(GOOD))).hasSize(1);

    seen(config(BAD, START.plusSeconds(1_700), "", START));
    assertThat(lateAfter(1_701)).as("it has its own time again").isEmpty();
  }

  @Test
  void aNodeThatIsNoLongerReadyEndsItAtOnceAndBeginsItAnewWhenItIsBack() {
    seen(config(BAD, START, "provisioning", START));
    assertThat(lateAfter(121)).hasSize(1);

    nodes.put("worker-1", NodeState.NOT_READY);
    assertThat(timeouts.of(guard, hash(BAD))).as("before the next look").isEmpty();
    assertThat(late()).isEmpty();
    assertThat(timeouts.size(guard)).isZero();

    nodes.put("worker-1", new NodeState.Ready(START.plusSeconds(200)));
    assertThat(lateAfter(320)).isEmpty();
    assertThat(lateAfter(321)).hasSize(1);
    nodes.remove("worker-1");
    assertThat(late()).isEmpty();
  }

  @Test
  void anObjectThatIsGoneOrGoingEndsIt() {
    seen(config(BAD, START, "provisioning", START));
    assertThat(lateAfter(121)).hasSize(1);
    timeouts.gone(guard, "worker-1");
    assertThat(timeouts.of(guard, hash(BAD))).isEmpty();

    var going = config(BAD, START, "provisioning", START);
    going.withObject("metadata").put("deletionTimestamp", START.toString());
    seen(going);
    assertThat(late()).isEmpty();
  }

  private void seen(ObjectNode object) {
    var known = Projection.of(guard, object);
    index.put(known);
    timeouts.seen(guard, object, known);
  }

  private List<TimedOut> lateAfter(long seconds) {
    now = START.plusSeconds(seconds);
    return late();
  }

  private List<TimedOut> late() {
    timeouts.look();
    return timeouts.of(guard, hash(BAD));
  }

  private ConfigHash hash(int vni) {
    return guard.identity().hash(config(vni, START, "", START));
  }

  /** As the API server would show it; an empty status was never written. */
  private static ObjectNode config(int vni, Instant content, String status, Instant statusAt) {
    var object =
        object(
            """
            {metadata: {name: 'worker-1', uid: 'u', creationTimestamp: '%s', generation: %d,
              managedFields: [{manager: 'operator', time: '%s', fieldsV1: {'f:spec': {}}}]},
             spec: {revision: 'r', layer2s: {'100': {vni: %d}}}, status: {}}
            """
                .formatted(START, content.equals(START) ? 1 : 2, content, vni));
    if (!status.isEmpty()) {
      object
          .withObject("status")
          .put("configStatus", status)
          .put("lastUpdate", statusAt.toString())
          .put("lastAppliedRevision", "r");
      var written = object.withObject("metadata").withArray("managedFields").addObject();
      written.put("manager", "agent").put("subresource", "status").put("time", statusAt.toString());
      written.putObject("fieldsV1").putObject("f:status");
    }
    return object;
  }
}
