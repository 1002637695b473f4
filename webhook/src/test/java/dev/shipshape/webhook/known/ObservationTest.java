package dev.shipshape.webhook.known;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Attempts;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Source;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Stored;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ObservationTest {
  private static final Instant FAILED = Instant.parse("2026-01-01T00:00:05Z");

  private final ConfigurationKey key =
      new ConfigurationKey("guard", "", ConfigHash.parse("v1:" + "0".repeat(64)));

  /** An operator may record its refusal in the seconds before the resource is written. */
  @Test
  void whatIsClearedBySuccessStillTellsWhenItFailed() {
    var failed =
        new Observation.Failed(
            key,
            new Source("NodeConfig", "worker-1", "uid"),
            "worker-1",
            new Failure(FAILED, "why", "operator"),
            FAILED,
            false,
            false,
            Duration.ofHours(1),
            null);
    var written = FAILED.plusSeconds(10);
    var known =
        requireNonNull(failed.after(null))
            .storedAs(new Stored("uid", "1", written, written, false, false, Attempts.NONE));

    var cleared =
        requireNonNull(
            new Observation.Worked(key, "worker-1", FAILED.plusSeconds(20)).after(known));

    assertThat(cleared.verdict()).isEqualTo(Verdict.CLEARED);
    assertThat(cleared.since()).isEqualTo(FAILED);
  }
}
