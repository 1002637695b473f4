package dev.shipshape.webhook.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.Said;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AgreedTimeTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private Instant own = NOON;
  private Instant said = NOON;
  private final AgreedTime time = new AgreedTime(() -> said, () -> own);

  @Test
  void itIsTheApiServersWhileBothAreLessThanADayApart() {
    own = NOON.plus(Duration.ofDays(1));
    assertThat(time.instant()).isEqualTo(NOON);
    own = NOON.minus(Duration.ofDays(1));
    assertThat(time.instant()).isEqualTo(NOON);
  }

  @Test
  void itIsNotKnownWhileTheyAreFurtherApartWhichIsSaidOnce() {
    try (var log = new Said()) {
      said = NOON.plus(Duration.ofDays(31));
      assertThat(time.instant()).isEqualTo(Instant.EPOCH);
      assertThat(time.agreed(NOON.minus(Duration.ofDays(31)))).isEqualTo(Instant.EPOCH);
      assertThat(log.text().split("nothing expires", -1)).hasSize(1 + 1);

      said = NOON;
      assertThat(time.instant()).isEqualTo(NOON);
      said = NOON.plus(Duration.ofDays(31));
      assertThat(time.instant()).isEqualTo(Instant.EPOCH);
      assertThat(log.text().split("nothing expires", -1)).as("again").hasSize(1 + 2);
    }
  }

  @Test
  void whileTheApiServersIsNotKnownNothingIsSaid() {
    said = Instant.EPOCH;
    try (var log = new Said()) {
      assertThat(time.instant()).isEqualTo(Instant.EPOCH);
      assertThat(log.text()).isEmpty();
    }
  }
}
