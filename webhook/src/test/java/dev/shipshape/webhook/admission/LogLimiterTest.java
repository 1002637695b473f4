package dev.shipshape.webhook.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LogLimiterTest {
  private Duration now = Duration.ZERO;
  private final LogLimiter limiter = new LogLimiter(Duration.ofMinutes(1), () -> now.toNanos());

  @Test
  void aRepeatedEventIsLoggedOnceAMinuteWithACount() {
    assertThat(limiter.log("denied a")).isEqualTo(OptionalInt.of(0));
    for (var second = 1; second < 60; second++) {
      now = Duration.ofSeconds(second);
      assertThat(limiter.log("denied a")).isEqualTo(OptionalInt.empty());
    }
    assertThat(limiter.log("denied b")).isEqualTo(OptionalInt.of(0));
    now = Duration.ofSeconds(60);
    assertThat(limiter.log("denied a")).isEqualTo(OptionalInt.of(59));
    now = Duration.ofSeconds(61);
    assertThat(limiter.log("denied a")).isEqualTo(OptionalInt.empty());
  }
}
