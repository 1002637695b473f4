package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Scanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class TimelineFollowTest {
  @TempDir private Path folder = Path.of("");

  /** As a log is written: in pieces, renamed and made anew, emptied. */
  @Test
  void eachRequestIsThereOnceWhateverHappensToTheFile() throws Exception {
    var events = events();
    var log = Files.writeString(folder.resolve("audit.log"), events.get(0) + "\n");
    try (var rows = new Rows(log)) {
      assertThat(rows.next()).startsWith("time,user");
      assertThat(rows.next()).endsWith(",id-0");
      append(log, events.get(1).substring(0, 50));
      append(log, events.get(1).substring(50));
      assertThat(rows.next()).endsWith(",id-1");
      append(log, "\n" + events.get(2) + "\n");
      Files.move(log, folder.resolve("audit-1.log"));
      append(folder.resolve("audit-1.log"), events.get(3) + "\n");
      Files.writeString(log, events.get(4) + "\n" + events.get(5) + "\n");
      assertThat(List.of(rows.next(), rows.next(), rows.next(), rows.next()))
          .extracting(row -> row.substring(row.lastIndexOf(',') + 1))
          .containsExactly("id-2", "id-3", "id-4", "id-5");
      // Emptied by whoever copies before: what is there then is shorter than what was read.
      Files.writeString(log, events.get(6) + "\n");
      assertThat(rows.next()).endsWith(",id-6");
    }
  }

  private static List<String> events() {
    var requests = new Requests();
    for (var i = 0; i < 7; i++) {
      requests.request("a", "get", "pods/shop/web-" + i, 200);
      requests.last().put("stage", i == 5 ? "Panic" : "ResponseComplete");
    }
    return requests.lines();
  }

  private static void append(Path log, String text) throws IOException {
    Files.writeString(log, text, StandardOpenOption.APPEND);
  }

  /** What is printed of a log, row by row. */
  private static final class Rows implements AutoCloseable {
    private final Scanner printed;
    private final Thread follower;

    Rows(Path log) throws IOException {
      var out = new PipedOutputStream();
      printed = new Scanner(new PipedInputStream(out), StandardCharsets.UTF_8);
      follower =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      Timeline.follow(
                          Requests.logs(log),
                          EventFilter.ALL,
                          false,
                          Timeline.Form.CSV,
                          out,
                          _ -> {});
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  });
    }

    String next() {
      return printed.nextLine();
    }

    @Override
    public void close() {
      follower.interrupt();
    }
  }
}
