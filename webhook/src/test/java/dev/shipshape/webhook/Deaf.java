package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that ask on and on and read no answers, until the server takes no more from them. */
final class Deaf implements AutoCloseable {
  private static final byte[] CALLS =
      Reviews.bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100));

  private static final Duration STUCK = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<RawClient> clients = new ArrayList<>();
  private final List<AtomicLong> lastSent = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  Deaf(TestingDoor door, int size) throws Exception {
    while (clients.size() < size) {
      var client = door.rawClientWithSmallBuffer();
      var last = new AtomicLong(System.nanoTime());
      clients.add(client);
      lastSent.add(last);
      threads.execute(() -> askForEver(client, last));
    }
  }

  /** Until none of them can send any more. */
  void awaitFull() throws Exception {
    eventually(
        PATIENCE,
        () -> {
          var now = System.nanoTime();
          assertThat(lastSent).allMatch(last -> now - last.get() > STUCK.toNanos());
        });
  }

  private static void askForEver(RawClient client, AtomicLong lastSent) {
    try {
      while (true) {
        client.send(CALLS);
        lastSent.set(System.nanoTime());
      }
    } catch (IOException e) {
      // Cut off.
    }
  }

  @Override
  public void close() throws IOException {
    for (var client : clients) {
      client.abort();
    }
    threads.shutdownNow();
  }
}
