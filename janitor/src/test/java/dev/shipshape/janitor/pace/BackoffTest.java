package dev.shipshape.janitor.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

  @Test
  void eachPauseIsTwiceTheLastUpToABound() {
    for (var seconds : new int[] {1, 2, 4, 5, 5}) {
      assertThat(backoff.next(null)).hasSeconds(seconds);
    }
    backoff.reset();
    assertThat(backoff.next(null)).hasSeconds(1);
  }

  @Test
  void theServersWishIsObeyedUpToTheBound() {
    assertThat(backoff.next(Duration.ofSeconds(3))).hasSeconds(3);
    assertThat(backoff.next(Duration.ZERO)).hasSeconds(2);
    assertThat(backoff.next(Duration.ofHours(1))).hasSeconds(5);
  }
}
