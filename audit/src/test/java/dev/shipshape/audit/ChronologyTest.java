package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChronologyTest {
  @TempDir private Path folder = Path.of("");

  /** Whatever is in which file, however late: for many seeds. */
  @Test
  void filesInAnyOrderMergeBackExactly() throws IOException {
    var requests = requests(200);
    for (var seed = 0; seed < 50; seed++) {
      var random = new Random(seed);
      var files = new ArrayList<List<String>>();
      for (var i = 0; i <= random.nextInt(5); i++) {
        files.add(new ArrayList<>());
      }
      var lines = new ArrayList<>(requests.lines());
      for (var i = 0; i < random.nextInt(100); i++) {
        Collections.swap(lines, random.nextInt(lines.size()), random.nextInt(lines.size()));
      }
      lines.forEach(line -> files.get(random.nextInt(files.size())).add(line));
      var paths = new Path[files.size()];
      for (var i = 0; i < paths.length; i++) {
        paths[i] = Files.write(folder.resolve("audit-%d.log".formatted(i)), files.get(i));
      }

      assertThat(Requests.auditIds(Requests.logs(paths))).as("seed %d", seed).isEqualTo(ids(200));
    }
  }

  @Test
  void moreThanFitsIntoMemoryIsSortedToo() throws IOException {
    var requests = requests(120_000);
    var lines = new ArrayList<>(requests.lines());
    Collections.shuffle(lines, new Random(1));
    var log = Files.write(folder.resolve("audit.log"), lines);

    assertThat(Requests.auditIds(Requests.logs(log))).isEqualTo(ids(120_000));
    try (var left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(left.filter(file -> file.toString().contains("shipshape-audit"))).isEmpty();
    }
  }

  @Test
  void noMoreLogsAreReadAtOnceThanTheHeapHasRoomFor() {
    var heap = 160 << 20;
    assertThat(LogReader.threads(100, 64, heap)).isEqualTo(8);
    assertThat(LogReader.threads(100, 2, heap)).isEqualTo(2);
    assertThat(LogReader.threads(3, 64, heap)).isEqualTo(3);
    assertThat(LogReader.threads(0, 64, 1 << 20)).isEqualTo(1);
  }

  /** What the detectors remember of many events would not fit into the heap else. */
  @Test
  void textsThatManyEventsHaveAreInMemoryOnce() throws IOException {
    var log = Files.write(folder.resolve("audit.log"), requests(2).lines());
    try (var chronology =
        Chronology.read(Requests.logs(log), EventFilter.ALL, RawEvent.Detail.VERSIONS)) {
      var one = Objects.requireNonNull(chronology.requests().next()).event();
      var other = Objects.requireNonNull(chronology.requests().next()).event();

      assertThat(other.actor()).isSameAs(one.actor());
      assertThat(other.verb()).isSameAs(one.verb());
      assertThat(other.object().namespace()).isSameAs(one.object().namespace());
    }
  }

  /** Also if its stages are in several files. */
  @Test
  void aRequestIsItsLastStage() throws IOException {
    var stages = new Requests().request("a", "watch", "pods/shop/", 200);
    var complete = stages.last();
    var lines =
        List.of(
            complete.toString(),
            complete.deepCopy().put("stage", "ResponseStarted").toString(),
            complete
                .deepCopy()
                .put("stage", "RequestReceived")
                .without("responseStatus")
                .toString());
    var first = Files.write(folder.resolve("first.log"), lines.subList(0, 1));
    var second = Files.write(folder.resolve("second.log"), lines.subList(1, 3));
    var logs = Requests.logs(first, second);

    try (var chronology = Chronology.read(logs, EventFilter.ALL, RawEvent.Detail.HEAD)) {
      assertThat(Requests.all(chronology))
          .extracting(each -> each.event().stage())
          .containsExactly(Stage.ResponseComplete);
    }
  }

  private static Requests requests(int count) {
    var requests = new Requests();
    for (var i = 0; i < count; i++) {
      requests.request("user-" + i % 7, "update", "configmaps/shop/settings-" + i, 200);
    }
    return requests;
  }

  private static List<String> ids(int count) {
    var ids = new ArrayList<String>();
    for (var i = 0; i < count; i++) {
      ids.add("id-" + i);
    }
    return ids;
  }
}
