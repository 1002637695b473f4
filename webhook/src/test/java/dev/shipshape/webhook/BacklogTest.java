package dev.shipshape.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private final Backlog backlog = new Backlog();
  private long now = System.nanoTime();

  @Test
  void whatAPunctualEventLoopReadsHasJustArrived() {
    for (var tick = 0; tick < 5; tick++) {
      pass(60);
      backlog.ticked(now);
      pass(40);
      assertThat(backlog.arrival(now)).isEqualTo(now);
    }
  }

  @Test
  void whatIsReadAfterALateTimerMayHaveWaitedForIt() {
    tick(50);
    tick(950);

    assertWaited(900);
    pass(40);
    assertWaited(900);
    tick(10);
    assertThat(backlog.arrival(now)).as("a punctual one later").isEqualTo(now);
  }

  @Test
  void whatIsReadWhileNoTimerRunsMayHaveWaitedSinceTheLastOne() {
    tick(50);
    pass(650);

    assertWaited(600);
  }

  private void tick(long millis) {
    pass(millis);
    backlog.ticked(now);
  }

  private void assertWaited(long millis) {
    assertThat(Duration.ofNanos(now - backlog.arrival(now)).toMillis())
        .isBetween(millis - 60, millis + 60);
  }

  private void pass(long millis) {
    now += Duration.ofMillis(millis).toNanos();
  }
}
