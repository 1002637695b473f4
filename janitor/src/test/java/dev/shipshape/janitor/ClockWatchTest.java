package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
  private Instant wall = Instant.parse("2026-11-21T12:00:00Z");

  /** It may begin anywhere, and overflow. */
  private long nanos = Long.MAX_VALUE - 1;

  private final ClockWatch watch = new ClockWatch(() -> wall, () -> nanos);

  @Test
  void aClockThatGoesOnIsNotSetBack() {
    for (var i = 0; i < 3; i++) {
      pass(2, 2);
      assertThat(watch.setBack()).isEmpty();
    }
    pass(3600, 3600);
    assertThat(watch.setBack()).as("a look that comes late").isEmpty();
  }

  @Test
  void aClockThatIsSetBackIsToldOnce() {
    pass(2, -3598);
    assertThat(watch.setBack()).contains(Duration.ofHours(1));
    pass(2, 2);
    assertThat(watch.setBack()).isEmpty();
  }

  @Test
  void oneThatIsSetBackWhileMuchTimePassesIsToldToo() {
    pass(60, 30);
    assertThat(watch.setBack()).contains(Duration.ofSeconds(30));
  }

  @Test
  void aFewSecondsAndJumpsForwardAreNoMatter() {
    pass(2, -3);
    assertThat(watch.setBack()).isEmpty();
    pass(2, 86_400);
    assertThat(watch.setBack()).isEmpty();
  }

  private void pass(long elapsed, long byTheWall) {
    nanos += Duration.ofSeconds(elapsed).toNanos();
    wall = wall.plusSeconds(byTheWall);
  }
}
