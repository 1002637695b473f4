package dev.shipshape.webhook.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BundleGracePeriodTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final BundleGracePeriod propagation = new BundleGracePeriod(Duration.ofSeconds(30));

  @Test
  void aBundleIsTrustedOnceItHasStoodLongEnough() {
    assertThat(propagation.has("a", true, NOW)).isFalse();
    assertThat(propagation.has("a", true, NOW.plusSeconds(29))).isFalse();
    assertThat(propagation.has("a", true, NOW.plusSeconds(30))).isTrue();
  }

  @Test
  void anotherBundleOrAnInterruptionBeginsAnew() {
    assertThat(propagation.has("a", true, NOW)).isFalse();
    assertThat(propagation.has("b", true, NOW.plusSeconds(30))).isFalse();
    assertThat(propagation.has("b", false, NOW.plusSeconds(50))).isFalse();
    assertThat(propagation.has("b", true, NOW.plusSeconds(60))).isFalse();
    assertThat(propagation.has("b", true, NOW.plusSeconds(90))).isTrue();
  }

  @Test
  void aClockThatIsSetBackDoesNotMakeItWaitForEver() {
    assertThat(propagation.has("a", true, NOW)).isFalse();
    assertThat(propagation.has("a", true, NOW.minusSeconds(9000))).isFalse();
    assertThat(propagation.has("a", true, NOW.minusSeconds(8970))).isTrue();
  }
}
