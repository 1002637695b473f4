package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.service.PeriodicTask;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PruneSchedulerTest {
  private static final Schedule EVERY_SECOND =
      new Schedule("0/1 * * * * ?", ZoneId.of("UTC"), List.of());

  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();

  @Test
  void aRunNeverBeginsBesideAnotherAndMissedOnesAreNotMadeUpFor() throws Exception {
    var first = new CountDownLatch(1);
    var seven = new CountDownLatch(7);
    var nine = new CountDownLatch(9);
    var second = new CountDownLatch(2);
    Runnable prune =
        () -> {
          second.countDown();
          run(first);
        };
    Runnable tick =
        () -> {
          seven.countDown();
          nine.countDown();
        };
    try (var _ = PeriodicTask.start("a clock", Duration.ofSeconds(1), tick);
        var _ = PruneScheduler.start(EVERY_SECOND, prune)) {
      assertThat(seven.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(begun).as("the first is still at it").hasValue(1);
      first.countDown();
      assertThat(nine.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(second.await(60, TimeUnit.SECONDS)).as("another begins").isTrue();
    }
    assertThat(most).hasValue(1);
    assertThat(begun.get()).as("not the six that were missed").isBetween(2, 6);
  }

  private void run(CountDownLatch first) {
    begun.incrementAndGet();
    most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    try {
      first.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    atOnce.decrementAndGet();
  }
}
