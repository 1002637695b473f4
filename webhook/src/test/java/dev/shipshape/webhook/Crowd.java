package dev.shipshape.webhook;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Clients that begin a body, stall, and do the same again as soon as they are cut off. */
final class Crowd implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final TestingDoor door;
  private final int length;
  private final byte[] beginning;
  private final CountDownLatch stalled;
  private final AtomicInteger returns = new AtomicInteger();
  private final Set<RawClient> clients = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean over;

  /**
   * @param length what they announce
   * @param sent what they send of it
   */
  Crowd(TestingDoor door, int size, int length, int sent) {
    this.door = door;
    this.length = length;
    this.beginning = Reviews.bytes(" ".repeat(sent));
    this.stalled = new CountDownLatch(size);
    for (var count = 0; count < size; count++) {
      threads.execute(this::run);
    }
  }

  /** Until each of them has stalled once. */
  void awaitAll() throws InterruptedException {
    if (!stalled.await(30, TimeUnit.SECONDS)) {
      throw new AssertionError("they do not all stall");
    }
  }

  /** How often they stalled again. */
  int returns() {
    return returns.get();
  }

  private void run() {
    for (var again = false; !over; again = true) {
      try (var client = door.rawClient()) {
        clients.add(client);
        client.send(RawClient.head(length)).send(beginning);
        if (again) {
          returns.incrementAndGet();
        }
        stalled.countDown();
        client.untilClosed();
        clients.remove(client);
      } catch (Exception e) {
        // Cut off before it could stall.
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  @Override
  public void close() throws IOException {
    over = true;
    for (var client : clients) {
      client.close();
    }
    threads.shutdownNow();
  }
}
