package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest {
  private static final Duration AGE = Duration.ofDays(30);
  @TempDir Path folder;

  @Test
  void aRecordSaysWhatWasDeletedByWhichRuleAndHowItEnded() throws IOException {
    var file = folder.resolve("records");
    try (var journal = journal(file, 10_000, 3)) {
      journal.record("run-1", deletion(1, new Outcome.Remaining("finalizers x")));
    }
    var record = TestCluster.json(Files.readString(file));
    assertThat(record.path("run").asText()).isEqualTo("run-1");
    assertThat(record.path("object").asText()).isEqualTo("services/" + TestSessions.batcher(1));
    assertThat(record.path("uid").asText()).isEqualTo("uid-" + TestSessions.batcher(1));
    assertThat(record.path("ageSeconds").asLong()).isEqualTo(30 * 24 * 3600);
    assertThat(record.path("rule").asText()).isEqualTo("complete-aged");
    assertThat(record.path("result").asText()).isEqualTo("remaining");
    assertThat(record.path("detail").asText()).isEqualTo("finalizers x");
    assertThat(record.path("seconds").asDouble()).isEqualTo(1.5);
  }

  @Test
  void aFullFileIsRenamedAndTheOldestGoes() throws IOException {
    var file = folder.resolve("records");
    try (var journal = journal(file, 1000, 2)) {
      IntStream.range(0, 20).forEach(i -> journal.record("r", deletion(i, new Outcome.Gone())));
    }
    try (var files = Files.list(folder)) {
      assertThat(files)
          .containsExactlyInAnyOrder(
              file,
              folder.resolve("records.1"),
              folder.resolve("records.2"),
              folder.resolve("records.intents"));
    }
    assertThat(Files.readAllLines(file).getLast()).contains(TestSessions.batcher(19));
    assertThat(Files.size(file)).isLessThanOrEqualTo(1000);
    assertThat(Files.size(folder.resolve("records.1"))).isBetween(500L, 1000L);
  }

  @Test
  void oneThatStartsAgainGoesOnWhereItEnded() throws IOException {
    var file = folder.resolve("records");
    for (var number = 1; number <= 2; number++) {
      try (var journal = journal(file, 10_000, 2)) {
        journal.record("r", deletion(number, new Outcome.Gone()));
      }
    }
    assertThat(Files.readAllLines(file)).hasSize(2);
  }

  @Test
  void twoProcessesCannotKeepTheSameRecords() {
    var file = folder.resolve("records");
    try (var one = journal(file, 10_000, 2);
        var other = journal(file, 10_000, 2)) {
      assertThat(one.unfinished()).isEmpty();
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(other::unfinished)
          .withMessageContaining(file.toString())
          .withMessageContaining("another");
    }
  }

  @Test
  void whereAnIntentCannotBeKeptNothingIsDeleted() {
    var sessions = new FakeSessions(TestSessions.NOW, TestSessions.complete(1, AGE));
    var journal = new FullDisk();
    var report = TestSessions.pruner(sessions, journal).run(true, TestSessions.WAIT);
    assertThat(report.deletions())
        .extracting(Deletion::outcome)
        .containsExactly(new Outcome.Failed("not sent: no space left"));
    assertThat(sessions.asked).isEmpty();
  }

  @Test
  void whereTheRecordsCannotBeOpenedTheRunEndsBeforeItBegins() {
    var sessions = new FakeSessions(TestSessions.NOW, TestSessions.complete(1, AGE));
    try (var journal = journal(folder.resolve("no").resolve("folder"), 10_000, 2)) {
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(() -> TestSessions.pruner(sessions, journal).run(true, TestSessions.WAIT))
          .withMessageContaining("prune.records.file");
    }
    assertThat(sessions.asked).isEmpty();
  }

  /** Told once and written once, however late. */
  @Test
  void aRecordThatCannotBeWrittenIsToldAtOnceAndWrittenLater() throws IOException {
    var file = folder.resolve("records");
    var told = new ByteArrayOutputStream();
    var lines =
        new LineJournal(new PrintStream(told, true, UTF_8), InstantSource.fixed(TestSessions.NOW));
    var entry = deletion(1, new Outcome.Gone());
    try (var journal =
        new FileJournal(file, 10_000, 2, lines, InstantSource.fixed(TestSessions.NOW))) {
      journal.begin(new Intent.OfSession("run-1", TestSessions.NOW, entry.entry()));
      Files.createDirectory(file);
      journal.record("run-1", entry);
      assertThat(told.toString(UTF_8).lines()).hasSize(1);
      assertThatExceptionOfType(UncheckedIOException.class)
          .as("nothing more is deleted meanwhile")
          .isThrownBy(journal::unfinished);
      var second = deletion(2, new Outcome.Gone()).entry();
      assertThatExceptionOfType(UncheckedIOException.class)
          .as("by the run under way neither")
          .isThrownBy(() -> journal.begin(new Intent.OfSession("run-1", TestSessions.NOW, second)));

      Files.delete(file);
      assertThat(journal.unfinished()).as("it has its record").isEmpty();
      assertThat(Files.readString(file)).isEqualTo(told.toString(UTF_8));
    }
    try (var journal =
        new FileJournal(file, 10_000, 2, lines, InstantSource.fixed(TestSessions.NOW))) {
      assertThat(journal.unfinished()).isEmpty();
    }
    assertThat(told.toString(UTF_8).lines()).hasSize(1);
    assertThat(Files.readAllLines(file)).hasSize(1);
  }

  /** Wherever it fails: the line may be in the file already, and may be left there or not. */
  @Test
  void aRecordThatFailsToReachTheDiskIsInTheFileOnce() throws IOException {
    for (var canBeTakenBack : List.of(true, false)) {
      var file = folder.resolve("records-" + canBeTakenBack);
      var fails = new AtomicBoolean(true);
      RecordFile.Sync sync =
          channel -> {
            if (fails.getAndSet(false)) {
              if (!canBeTakenBack) {
                channel.close();
              }
              throw new IOException("I/O error");
            }
            channel.force(true);
          };
      var records = new RecordFile(file, 10_000, 2, sync);
      var entry = deletion(1, new Outcome.Gone());
      try (var journal =
          new FileJournal(records, (_, _) -> {}, InstantSource.fixed(TestSessions.NOW))) {
        journal.begin(new Intent.OfSession("run-1", TestSessions.NOW, entry.entry()));
        journal.record("run-1", entry);
        assertThat(journal.unfinished()).isEmpty();
        assertThat(Files.readAllLines(file)).as("%s", canBeTakenBack).hasSize(1);
      }
    }
  }

  /** The record of one run says nothing of what another one had begun. */
  @Test
  void onlyARecordOfTheSameRunEndsAnIntent() {
    var file = folder.resolve("records");
    var entry = deletion(1, new Outcome.Gone()).entry();
    var begun = new Intent.OfSession("run-1", TestSessions.NOW, entry);
    try (var journal = journal(file, 10_000, 2)) {
      journal.begin(begun);
    }
    try (var journal = journal(file, 10_000, 2)) {
      journal.record("run-2", deletion(1, new Outcome.NotTried()));
      assertThat(journal.unfinished()).containsExactly(begun);
    }
    try (var journal = journal(file, 10_000, 2)) {
      assertThat(journal.unfinished()).containsExactly(begun);
      journal.record("run-1", deletion(1, new Outcome.FoundGone()));
      assertThat(journal.unfinished()).isEmpty();
    }
  }

  @Test
  void oneThatCannotBeReadIsLookedAtNextTimeAndTheRunGoesOn() throws IOException {
    var unreadable = deletion(1, new Outcome.Gone()).entry();
    var sessions = new FakeSessions(TestSessions.NOW, TestSessions.complete(2, AGE));
    sessions.unreadable.add(unreadable.session().name());
    var file = folder.resolve("records");
    try (var journal = journal(file, 10_000, 2)) {
      var begun = new Intent.OfSession("run-0", TestSessions.NOW, unreadable);
      journal.begin(begun);
      var report = TestSessions.pruner(sessions, journal).run(true, TestSessions.WAIT);
      assertThat(report.count(Outcome.Gone.class)).isEqualTo(1);
      assertThat(journal.unfinished()).containsExactly(begun);

      sessions.unreadable.clear();
      TestSessions.pruner(sessions, journal).run(true, TestSessions.WAIT);
      assertThat(journal.unfinished()).isEmpty();
    }
    assertThat(Files.readAllLines(file)).hasSize(2).allMatch(line -> line.contains("\"gone\""));
  }

  private static final class FullDisk implements Journal {
    @Override
    public void record(String run, Deletion deletion) {}

    @Override
    public void begin(Intent intent) {
      throw new UncheckedIOException("no space left", new IOException());
    }
  }

  private static FileJournal journal(Path file, long mostBytes, int kept) {
    var clock = InstantSource.fixed(TestSessions.NOW);
    return new FileJournal(file, mostBytes, kept, (_, _) -> {}, clock);
  }

  private static Deletion deletion(int number, Outcome outcome) {
    return new Deletion(
        new Plan.Entry(
            TestSessions.complete(number, AGE),
            new Verdict.Prune(Verdict.Rule.COMPLETE_AGED, TestSessions.NOW.minus(AGE), AGE)),
        outcome,
        Duration.ofMillis(1500));
  }
}
