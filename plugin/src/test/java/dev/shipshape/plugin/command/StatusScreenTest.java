package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.JanitorStatus;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.SessionStats;
import dev.shipshape.janitor.prune.Verdict;
import dev.shipshape.plugin.release.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusScreenTest {
  private static final Instant NOW = Instant.parse("2026-11-22T04:00:00Z");
  private static final Instant BEFORE = NOW.minusSeconds(600);

  @Test
  void aRunIsShownWithHowItEndedAndWhatItCameTo() {
    assertThat(shown(run(RunReport.Ending.REPORTED, Map.of("planned", 3))))
        .contains("last run      reported " + BEFORE, "{planned=3}");
    assertThat(shown(run(RunReport.Ending.DONE, Map.of("gone", 3))))
        .contains("last run      done " + BEFORE, "{gone=3}; 2 being deleted already");
    assertThat(shown(run(RunReport.Ending.INTERRUPTED, Map.of())))
        .as("three could be deleted")
        .contains("last run      interrupted " + BEFORE, "nothing deleted");
    assertThat(shown(null))
        .contains("last run      none yet", "next run      at 2026-11-22T04:15:00Z (in 15m 0s)");
  }

  @Test
  void aJanitorAloneIsAskedForNoGuard() {
    assertThat(shown(null, false, true)).contains("webhook       off").doesNotContain("guard");
  }

  @Test
  void aWebhookAloneIsAskedForNoRun() {
    assertThat(shown(null, true, false))
        .contains("janitor       off")
        .doesNotContain("pruning", "leader", "operator", "restarts");
  }

  private static RunReport run(RunReport.Ending ending, Map<String, Integer> results) {
    var stats = new SessionStats(5, 3, Map.of(Verdict.Reason.TERMINATING, 2), Map.of());
    return new RunReport(
        "r", BEFORE, ending, null, "", stats, results, List.of(), Duration.ZERO, null);
  }

  private static String shown(@Nullable RunReport run) {
    return shown(run, true, true);
  }

  private static String shown(@Nullable RunReport run, boolean hasWebhook, boolean hasJanitor) {
    var status =
        new Status(
            List.of("shipshape: 2 of 2 ready"),
            true,
            "one",
            null,
            hasWebhook,
            hasJanitor,
            true,
            Map.of(),
            NOW.plusSeconds(900),
            new JanitorStatus(false, false, run, run, null),
            List.of("widgets: 3 objects"),
            List.of());
    return new StatusScreen(InstantSource.fixed(NOW)).text("r", status);
  }
}
