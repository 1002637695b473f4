package dev.shipshape.webhook.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventRateLimiterTest {
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  /** Such a clock may be anywhere, and wrap around. */
  private static final long START = Long.MAX_VALUE - 5;

  private final EventRateLimiter rate = new EventRateLimiter(Duration.ofMinutes(10), START);

  @Test
  void anObjectIsToldAgainOnlyAfterAWhile() {
    assertThat(rate.allows("a", START)).isTrue();
    assertThat(rate.allows("a", START + 9 * MINUTE)).isFalse();
    assertThat(rate.allows("b", START + 9 * MINUTE)).isTrue();
    assertThat(rate.allows("a", START + 10 * MINUTE)).isTrue();
    assertThat(rate.allows("a", START + 19 * MINUTE)).isFalse();
  }

  @Test
  void manyObjectsAtOnceAreNotAllTold() {
    var told = 0;
    for (var object = 0; object < 1_000; object++) {
      told += rate.allows("object-" + object, START) ? 1 : 0;
    }
    assertThat(told).isEqualTo(25);
    assertThat(rate.allows("later", START + MINUTE / 20)).isFalse();
    assertThat(rate.allows("later", START + MINUTE / 12)).isTrue();
    assertThat(rate.allows("object-999", START + MINUTE)).as("never told before").isTrue();
  }

  @Test
  void aDayOfNewObjectsIsBoundedInMemoryAndInEvents() {
    var told = 0;
    for (var second = 0; second < 86_400; second++) {
      told += rate.allows("object-" + second, START + second * (MINUTE / 60)) ? 1 : 0;
    }
    assertThat(told).isBetween(17_280, 17_310);
  }
}
