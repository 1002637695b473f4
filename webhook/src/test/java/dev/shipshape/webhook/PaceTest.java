package dev.shipshape.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final Duration GRACE = Duration.ofMillis(500);

  private long now = System.nanoTime();
  private final Pace pace = new Pace(GRACE, now);

  @Test
  void whoDoesNothingIsBehindAfterTheGraceAndMoreAndMore() {
    pass(499);
    assertThat(isBehind()).isFalse();
    pass(11);
    assertThat(pace.behind(now)).isEqualTo(Duration.ofMillis(10).toNanos());

    pace.begin(now);
    assertThat(isBehind()).isFalse();
  }

  @Test
  void whoSendsAMegabyteASecondIsNeverBehind() {
    for (var part = 0; part < 70; part++) {
      pass(100);
      pace.advance(100_000, now);
      assertThat(isBehind()).isFalse();
    }
  }

  @Test
  void whoTricklesIsBehindAsIfItSentNothing() {
    for (var part = 0; part < 60; part++) {
      pass(10);
      pace.advance(10, now);
    }

    assertThat(pace.behind(now)).isGreaterThan(Duration.ofMillis(99).toNanos());
  }

  @Test
  void aBurstBuysNoTime() {
    pace.advance(5_000_000, now);
    pass(510);

    assertThat(isBehind()).isTrue();
  }

  @Test
  void whoWaitsForAnAnswerIsNotBehindAsLongAsACallLasts() {
    pace.awaitAnswer(now);

    pass(30_000);
    assertThat(isBehind()).isFalse();
    pass(1);
    assertThat(isBehind()).isTrue();
  }

  private boolean isBehind() {
    return pace.behind(now) > 0;
  }

  private void pass(long millis) {
    now += Duration.ofMillis(millis).toNanos();
  }
}
