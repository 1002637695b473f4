package dev.shipshape.webhook.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.config.StoreLimits;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.store.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.store.KnownInvalidConfiguration.Source;
import dev.shipshape.webhook.store.KnownInvalidConfiguration.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
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
            .storedAs(new Stored("uid", "1", written, written, false));

    var cleared =
        requireNonNull(
            new Observation.Worked(key, "worker-1", FAILED.plusSeconds(20)).after(known));

    assertThat(cleared.verdict()).isEqualTo(Verdict.CLEARED);
    assertThat(cleared.since()).isEqualTo(FAILED);
  }

  /** Somebody clears it before the answer to the write that made it is here. */
  @Test
  void anAnswerThatIsLateReplacesNothingThatTheWatchHasShown() {
    var invalid =
        new KnownInvalidConfiguration(
            key,
            new Source("NodeConfig", "worker-1", "uid"),
            Verdict.INVALID,
            "why",
            new TreeMap<>(),
            false,
            new Stored("uid", "1", FAILED, FAILED, false));
    var cleared =
        invalid
            .with(Verdict.CLEARED, new TreeMap<>())
            .storedAs(new Stored("uid", "2", FAILED, FAILED, true));
    var store = new KnownInvalidStore(new StoreLimits(Duration.ofDays(1), 10));
    store.store(key, null, cleared);

    store.store(key, null, invalid);

    assertThat(store.count("guard", Verdict.CLEARED)).isOne();
    store.store(key, cleared, null);
    assertThat(store.count("guard", Verdict.CLEARED)).isZero();
  }
}
