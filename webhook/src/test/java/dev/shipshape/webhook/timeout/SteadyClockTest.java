package dev.shipshape.webhook.timeout;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private static final Instant TIME = Instant.parse("2026-08-06T16:00:00Z");

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void itSays1970UntilTheOtherClockIsHeardAndRunsOnByItself() throws Exception {
    var clock = new SteadyClock(this::answer, nanos::get);
    assertThat(clock.instant()).isIn(Instant.EPOCH, TIME);
    eventually(() -> assertThat(clock.instant()).isEqualTo(TIME));

    nanos.addAndGet(Duration.ofSeconds(59).toNanos());

    assertThat(clock.instant()).isEqualTo(TIME.plusSeconds(59));
    assertThat(asked).hasValue(1);
  }

  @Test
  void itAsksAgainEachMinuteAndSoonerWhereTheOtherDoesNotKnow() throws Exception {
    var clock =
        new SteadyClock(
            () -> {
              if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("could not ask");
              }
              return TIME;
            },
            nanos::get);
    assertThat(clock.instant()).isEqualTo(Instant.EPOCH);
    eventually(
        () -> {
          nanos.addAndGet(Duration.ofSeconds(1).toNanos());
          assertThat(clock.instant()).isAfterOrEqualTo(TIME);
        });
    eventually(
        () -> {
          nanos.addAndGet(Duration.ofSeconds(61).toNanos());
          var ignored = clock.instant();
          assertThat(asked).hasValueGreaterThan(2);
        });
  }

  private Instant answer() {
    asked.incrementAndGet();
    return TIME;
  }
}
