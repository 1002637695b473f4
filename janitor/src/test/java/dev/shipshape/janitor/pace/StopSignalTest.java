package dev.shipshape.janitor.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StopSignalTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  @Test
  void aPauseOfAPartEndsWhenTheWholeIsToldToStop() {
    var whole = new StopSignal(() -> true);
    var part = whole.orUnless(() -> true);
    var pause = CompletableFuture.supplyAsync(() -> part.pause(LONG));

    whole.stop();

    assertThat(pause.orTimeout(30, TimeUnit.SECONDS).join()).isFalse();
    assertThat(part.isStopped()).isTrue();
  }

  @Test
  void aPartEndsSoonerThanTheWhole() {
    var whole = new StopSignal(() -> true);
    var on = new AtomicBoolean(true);
    var part = whole.orUnless(on::get);
    assertThat(part.isStopped()).isFalse();

    on.set(false);

    assertThat(part.isStopped()).isTrue();
    assertThat(whole.isStopped()).isFalse();
  }
}
