package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogLimiterTest {
  private Duration now = Duration.ZERO;
  private final LogLimiter limiter = new LogLimiter(Duration.ofMinutes(1), () -> now.toNanos());

  @Test
  void aRepeatedEventIsLoggedOnceAMinute() {
    assertThat(limiter.isDue("denied a")).isTrue();
    for (var second = 1; second < 60; second++) {
      now = Duration.ofSeconds(second);
      assertThat(limiter.isDue("denied a")).isFalse();
    }
    assertThat(limiter.isDue("denied b")).isTrue();
    now = Duration.ofSeconds(60);
    assertThat(limiter.isDue("denied a")).isTrue();
    now = Duration.ofSeconds(61);
    assertThat(limiter.isDue("denied a")).isFalse();
  }
}
