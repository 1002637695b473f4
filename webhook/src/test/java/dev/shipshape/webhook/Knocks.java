package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Clients that ask again and again for what is not served, and come again when they are cut. */
final class Knocks implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TestingDoor door;
  private final Duration every;
  private final List<AtomicInteger> counts = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean over;

  Knocks(TestingDoor door, int size, Duration every) {
    this.door = door;
    this.every = every;
    while (counts.size() < size) {
      var count = new AtomicInteger();
      counts.add(count);
      threads.execute(() -> knockOnAndOn(count));
    }
  }

  /** Until each has asked so often. */
  void awaitEach(int times) throws Exception {
    eventually(PATIENCE, () -> assertThat(counts).allMatch(count -> count.get() >= times));
  }

  private void knockOnAndOn(AtomicInteger count) {
    while (!over) {
      try (var client = door.rawClient()) {
        var answer = "unanswered yet";
        while (!over && !answer.isEmpty()) {
          count.incrementAndGet();
          answer = client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").answer();
          LockSupport.parkNanos(every.toNanos());
        }
      } catch (Exception e) {
        // Cut off.
      }
    }
  }

  @Override
  public void close() {
    over = true;
    threads.shutdownNow();
  }
}
