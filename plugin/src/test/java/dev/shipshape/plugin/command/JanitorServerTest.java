package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.service.StartFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class JanitorServerTest {
  /** As after the scheduler's thread ran out of memory: it would lead, and do nothing. */
  @Test
  void aJanitorThatHasLostAThreadBeginsAnewUntilItWorks(@TempDir Path folder) throws Exception {
    var settings =
        Files.writeString(
            folder.resolve("janitor.yaml"),
            "apiVersion: shipshape.dev/v1\nmanagement: {port: 0}\n");
    var beginnings = new AtomicInteger();
    var begun = new LinkedBlockingQueue<Integer>();

    try (var server =
        JanitorServer.start(
            settings,
            () -> {
              begun.add(beginnings.incrementAndGet());
              if (beginnings.get() == 2) {
                throw new OutOfMemoryError("again");
              }
              throw new StartFailure("no cluster");
            })) {
      assertThat(begun.poll(20, TimeUnit.SECONDS)).isEqualTo(1);
      server.threadEnded(Thread.currentThread(), new OutOfMemoryError("in the scheduler"));

      assertThat(begun.poll(20, TimeUnit.SECONDS)).isEqualTo(2);
      assertThat(begun.poll(20, TimeUnit.SECONDS)).isEqualTo(3);
    }
  }
}
