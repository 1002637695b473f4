package dev.shipshape.webhook.timeout;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.guard.GuardReader;
import dev.shipshape.webhook.guard.Progress.Stage;
import dev.shipshape.webhook.identity.ConfigHash;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as too long, by tables. */
class TimeLimitsTest {
  private static final Instant START = Instant.parse("2026-08-06T16:00:00Z");
  private static final TimeLimits LIMITS =
      new TimeLimits(Duration.ofMinutes(2), Duration.ofMinutes(10));
  private static final NodeState READY = new NodeState.Ready(START.minusSeconds(3_600));

  @ParameterizedTest
  @CsvSource({
    "provisioning, 119, false",
    "provisioning, 120, false",
    "provisioning, 121, true",
    "provisioning, -86400, false",
    "nothing, 121, false",
    "nothing, 600, false",
    "nothing, 601, true",
  })
  void onlyMoreThanTheLimitIsTooLong(String status, long seconds, boolean tooLong) {
    assertThat(isLate(attempt(status, null), READY, seconds)).isEqualTo(tooLong);
  }

  @Test
  void nothingTakesTooLongWhereItsNodeIsGoneNotReadyBeingDeletedOrNotKnown() {
    for (var state :
        new NodeState[] {
          NodeState.GONE, NodeState.NOT_READY, NodeState.BEING_DELETED, NodeState.UNKNOWN
        }) {
      assertThat(isLate(attempt("provisioning", null), state, 86_400)).as("%s", state).isFalse();
      assertThat(isLate(attempt("nothing", null), state, 86_400)).as("%s", state).isFalse();
    }
  }

  @Test
  void theTimeBeforeTheNodeWasReadyDoesNotCount() {
    var back = new NodeState.Ready(START.plusSeconds(1_000));

    assertThat(isLate(attempt("provisioning", null), back, 1_120)).isFalse();
    assertThat(isLate(attempt("provisioning", null), back, 1_121)).isTrue();
  }

  @Test
  void whatWasReplacedInTimeIsNeverLate() {
    assertThat(isLate(attempt("provisioning", START.plusSeconds(60)), READY, 86_400)).isFalse();
    assertThat(isLate(attempt("provisioning", START.plusSeconds(130)), READY, 86_400)).isTrue();
  }

  @Test
  void aClockThatHasNotBeenHeardMakesNothingLate() {
    assertThat(LIMITS.judge(attempt("nothing", null), READY, Instant.EPOCH)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "provisioning, 2026-08-06T16:00:00Z, Provisioning",
        "provisioning, 2026-08-06T16:00:00.25Z, Provisioning",
        "provisioning, 0001-01-01T00:00:00Z, Other",
        "provisioning, 1970-01-01T00:00:00Z, Other",
        "provisioning, null, Other",
        "provisioning, soon, Other",
        "provisioned, 2026-08-06T16:00:00Z, Other",
        "invalid, 2026-08-06T16:00:00Z, Other",
        "'', 2026-08-06T16:00:00Z, NoStatus",
        "null, null, NoStatus",
      })
  void theStageIsReadFromWhereThePresetSays(
      @Nullable String status, @Nullable String time, String stage) throws BadSettings {
    var object =
        json(
            "{status: {configStatus: %s, lastUpdate: %s}}".formatted(quoted(status), quoted(time)));
    for (var preset : new String[] {"schiff-revisions", "t-caas"}) {
      var progress = Objects.requireNonNull(NodeGuards.of(preset).signs().progress());
      assertThat(progress.of(object).getClass().getSimpleName()).isEqualTo(stage);
    }
  }

  @Test
  void theEraWithoutTimesSaysNothing() {
    assertThat(GuardReader.preset("nodeconfig"))
        .allMatch(guard -> guard.signs().progress() == null);
  }

  @Test
  void aNodesStateIsReadFromItsConditions() {
    assertThat(NodeState.of(node("True"))).isEqualTo(new NodeState.Ready(START));
    assertThat(NodeState.of(node("False"))).isEqualTo(NodeState.NOT_READY);
    assertThat(NodeState.of(node("Unknown"))).isEqualTo(NodeState.NOT_READY);
    assertThat(NodeState.of(new NodeBuilder().withNewMetadata().endMetadata().build()))
        .isEqualTo(NodeState.NOT_READY);
    var leaving = node("True");
    leaving.getMetadata().setDeletionTimestamp("2026-08-06T16:00:00Z");
    assertThat(NodeState.of(leaving)).isEqualTo(NodeState.BEING_DELETED);
  }

  private static Node node(String ready) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName("worker-1")
        .endMetadata()
        .withNewStatus()
        .addNewCondition()
        .withType("DiskPressure")
        .withStatus("True")
        .endCondition()
        .addNewCondition()
        .withType("Ready")
        .withStatus(ready)
        .withLastTransitionTime(START.toString())
        .endCondition()
        .endStatus()
        .build();
  }

  private static boolean isLate(Attempt attempt, NodeState node, long seconds) {
    return LIMITS.judge(attempt, node, START.plusSeconds(seconds)).isPresent();
  }

  private static Attempt attempt(String status, @Nullable Instant replaced) {
    var stage =
        status.equals("provisioning") ? new Stage.Provisioning(START) : new Stage.NoStatus();
    var hash = ConfigHash.parse("v1:" + "0".repeat(64));
    return new Attempt("worker-1", "u", "worker-1", hash, stage, START, replaced, false);
  }

  private static String quoted(@Nullable String text) {
    return text == null ? "null" : "'" + text + "'";
  }
}
