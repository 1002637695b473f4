package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.release.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
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
  void aRunThatOnlyReportsIsNotShownAsAPrune() {
    assertThat(shown(null, BEFORE))
        .contains("last prune    none known; a report-only run ended " + BEFORE)
        .doesNotContain("ended well");
    assertThat(shown(BEFORE, NOW)).contains("last prune    ended well " + BEFORE);
    assertThat(shown(null, null)).contains("last prune    not known");
  }

  @Test
  void aFigureThatNobodyGaveIsNotNought() {
    assertThat(shown(null, null))
        .contains("last prune    not known; how many is not known: no janitor's metrics")
        .contains("last restart  not known; 3 by the janitors since they started");
  }

  @Test
  void whoDecidesWhatIsRefusedIsTold() {
    assertThat(shown(null, null)).contains("-invalid and -backup records count: see guard.record");
  }

  @Test
  void aStuckOperatorIsToldWithWhyItIsNotRestarted() {
    assertThat(shown(null, null)).contains("operator      STUCK since then; not restarted");
  }

  private static String shown(@Nullable Instant prune, @Nullable Instant report) {
    var out = new StringWriter();
    var status =
        new Status(
            List.of("shipshape: 2 of 2 ready"),
            true,
            null,
            List.of(),
            true,
            Map.of(),
            true,
            new Status.Armed(0, 2, false),
            new Status.Armed(0, 2, false),
            null,
            prune,
            report,
            null,
            null,
            3L,
            "STUCK since then; not restarted: not-armed",
            List.of());
    new StatusScreen(new PrintWriter(out, true), InstantSource.fixed(NOW)).show("r", status);
    return out.toString();
  }
}
