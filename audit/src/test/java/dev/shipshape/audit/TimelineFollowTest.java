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
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
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
    var out = new PipedOutputStream();
    var rows = new Scanner(new PipedInputStream(out), StandardCharsets.UTF_8);
    var logs = Requests.logs(log);
    Callable<ReadReport> follow =
        () -> Timeline.follow(logs, EventFilter.ALL, false, Timeline.Form.CSV, out, _ -> {});
    var follower = Thread.startVirtualThread(new FutureTask<>(follow));
    try {
      assertThat(rows.nextLine()).startsWith("time,user");
      assertThat(rows.nextLine()).endsWith(",id-0");
      append(log, events.get(1).substring(0, 50));
      append(log, events.get(1).substring(50));
      assertThat(rows.nextLine()).endsWith(",id-1");
      append(log, "\n" + events.get(2) + "\n");
      Files.move(log, folder.resolve("audit-1.log"));
      append(folder.resolve("audit-1.log"), events.get(3) + "\n");
      Files.writeString(log, events.get(4) + "\n" + events.get(5) + "\n");
      assertThat(List.of(rows.nextLine(), rows.nextLine(), rows.nextLine(), rows.nextLine()))
          .extracting(row -> row.substring(row.lastIndexOf(',') + 1))
          .containsExactly("id-2", "id-3", "id-4", "id-5");
      // Emptied by whoever copies before: what is there then is shorter than what was read.
      Files.writeString(log, events.get(6) + "\n");
      assertThat(rows.nextLine()).endsWith(",id-6");
    } finally {
      follower.interrupt();
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
}
