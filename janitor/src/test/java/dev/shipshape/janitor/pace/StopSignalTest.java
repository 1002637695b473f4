package dev.shipshape.janitor.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StopSignalTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  @Test
  void aPauseOfAPartEndsWhenTheWholeIsToldToStop() {
    var whole = new StopSignal(() -> true);
    var part = whole.within(LONG);
    var pause = CompletableFuture.supplyAsync(() -> part.pause(LONG));

    whole.stop();

    assertThat(pause.orTimeout(30, TimeUnit.SECONDS).join()).isFalse();
    assertThat(part.isStopped()).isTrue();
  }

  @Test
  void aPartEndsSoonerThanTheWholeAndSoDoItsPauses() {
    var whole = new StopSignal(() -> true);
    var part = whole.within(Duration.ofMillis(100));
    var begin = System.nanoTime();

    assertThat(part.pause(LONG)).isFalse();

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMinutes(1));
    assertThat(part.isStopped()).isTrue();
    assertThat(whole.isStopped()).isFalse();
  }
}
