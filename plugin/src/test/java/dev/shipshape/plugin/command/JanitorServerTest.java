package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.service.StartFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JanitorServerTest {
  /** As after the scheduler's thread ran out of memory: it would lead, and do nothing. */
  @Test
  void aJanitorThatHasLostAThreadBeginsAnew(@TempDir Path folder) throws Exception {
    var settings =
        Files.writeString(
            folder.resolve("janitor.yaml"),
            "apiVersion: shipshape.dev/v1\nmanagement: {host: 127.0.0.1, port: 0}\n");
    var begun = new LinkedBlockingQueue<String>();

    try (var server =
        JanitorServer.start(
            settings,
            () -> {
              begun.add("begun");
              throw new StartFailure("no cluster");
            })) {
      assertThat(begun.poll(20, TimeUnit.SECONDS)).isNotNull();
      server.threadEnded(Thread.currentThread(), new IllegalStateException("of no matter"));
      server.threadEnded(Thread.currentThread(), new OutOfMemoryError("in the scheduler"));

      assertThat(begun.poll(20, TimeUnit.SECONDS)).isNotNull();
    }
  }
}
