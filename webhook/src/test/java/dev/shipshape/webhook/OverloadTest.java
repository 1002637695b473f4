package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What cannot be answered in time is put off at once, while there is time for another try. */
@Timeout(60)
class OverloadTest {
  private static final String GOOD = creation(nodeConfig("worker-1", "{}"));
  private static final String SLOW = GOOD.replace("\"jane\"", "\"slow\"");

  /** Longer than the last second's share of a call's time. */
  private static final long SLOWNESS_MILLIS = 900;

  @Test
  void aCallThatWaitedTooLongForTheEventLoopIsPutOffUnread() throws Exception {
    var busy = new CountDownLatch(1);
    Decider slow =
        request -> {
          if (request.user().equals("slow")) {
            busy.countDown();
            pass(SLOWNESS_MILLIS);
          }
          return TestingDoor.validating().decide(request);
        };
    try (var door = new TestingDoor(slow, TestingDoor.USUAL);
        var first = door.rawClient();
        var hasty = door.rawClient();
        var patient = door.rawClient()) {
      first.send(RawClient.request(SLOW));
      assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
      hasty.send(RawClient.request(GOOD).replace("timeout=10s", "timeout=1s"));
      patient.send(RawClient.request(GOOD));

      assertThat(first.answer()).contains("\"allowed\":true");
      assertThat(hasty.answer().toLowerCase(Locale.ROOT))
          .startsWith("http/1.1 503 ")
          .contains("retry-after: 1");
      assertThat(patient.answer()).contains("\"allowed\":true");
      assertThat(door.refusals(Refusal.OVERLOADED)).isEqualTo(1);
      // The loop is thought to be late until its next tick.
      eventually(
          () -> {
            hasty.send(RawClient.request(GOOD).replace("timeout=10s", "timeout=1s"));
            assertThat(hasty.answer()).as("another try").contains("\"allowed\":true");
          });
    }
  }

  @Test
  void aLargeCallWhoseTurnWouldComeTooLateIsPutOffAtOnce() {
    var started = new CountDownLatch(1);
    var free = new CountDownLatch(1);
    var soon = Deadline.of("timeout=1s", System.nanoTime());
    var late = Deadline.of("timeout=30s", System.nanoTime());
    try (var workers = new DecisionWorkers(1)) {
      for (var count = 0; count < 5; count++) {
        run(workers, late, () -> pass(300));
      }
      assertThat(
              workers.take(
                  () -> {
                    started.countDown();
                    await(free);
                  },
                  late))
          .isTrue();
      await(started);
      var waiting = 0;
      while (workers.take(() -> {}, late)) {
        waiting++;
      }
      assertThat(waiting).as("the queue ends").isEqualTo(64);
      assertThat(workers.take(() -> {}, soon)).isFalse();
      free.countDown();
    }
  }

  /** As long as the estimate remembers slow work, hasty calls are not even queued. */
  @Test
  void theEstimateLearnsFromWhatTheLastOnesTook() {
    var free = new CountDownLatch(1);
    var late = Deadline.of("timeout=30s", System.nanoTime());
    try (var workers = new DecisionWorkers(1)) {
      for (var count = 0; count < 5; count++) {
        run(workers, late, () -> pass(200));
      }
      assertThat(workers.take(() -> await(free), late)).isTrue();
      for (var count = 0; count < 10; count++) {
        assertThat(workers.take(() -> {}, late)).isTrue();
      }

      assertThat(workers.take(() -> {}, Deadline.of("timeout=1s", System.nanoTime()))).isFalse();
      assertThat(workers.take(() -> {}, Deadline.of("timeout=9s", System.nanoTime()))).isTrue();
      free.countDown();
    }
  }

  private static void run(DecisionWorkers workers, Deadline deadline, Runnable work) {
    var done = new CountDownLatch(1);
    assertThat(
            workers.take(
                () -> {
                  work.run();
                  done.countDown();
                },
                deadline))
        .isTrue();
    await(done);
  }

  /** Keeps a thread busy for so long. */
  private static void pass(long millis) {
    try {
      var never = new CountDownLatch(1);
      assertThat(never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
