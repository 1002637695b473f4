package dev.shipshape.janitor.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest {
  @TempDir Path folder;

  @Test
  void aRecordSaysWhatWasDeletedByWhichRuleAndHowItEnded() throws IOException {
    var file = folder.resolve("records");
    journal(file, 10_000, 3).record("run-1", deletion(1, new Outcome.Remaining("finalizers x")));
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
    var journal = journal(file, 1000, 2);
    IntStream.range(0, 20).forEach(i -> journal.record("r", deletion(i, new Outcome.Gone())));
    try (var files = Files.list(folder)) {
      assertThat(files)
          .containsExactlyInAnyOrder(
              file, folder.resolve("records.1"), folder.resolve("records.2"));
    }
    assertThat(Files.readAllLines(file).getLast()).contains(TestSessions.batcher(19));
    assertThat(Files.size(file)).isLessThanOrEqualTo(1000);
    assertThat(Files.size(folder.resolve("records.1"))).isBetween(500L, 1000L);
  }

  @Test
  void oneThatStartsAgainGoesOnWhereItEnded() throws IOException {
    var file = folder.resolve("records");
    journal(file, 10_000, 2).record("r", deletion(1, new Outcome.Gone()));
    journal(file, 10_000, 2).record("r", deletion(2, new Outcome.Gone()));
    assertThat(Files.readAllLines(file)).hasSize(2);
  }

  private static FileJournal journal(Path file, long mostBytes, int kept) {
    return new FileJournal(file, mostBytes, kept, InstantSource.fixed(TestSessions.NOW));
  }

  private static Deletion deletion(int number, Outcome outcome) {
    var age = Duration.ofDays(30);
    return new Deletion(
        new Plan.Entry(
            TestSessions.complete(number, age),
            new Verdict.Prune(Verdict.Rule.COMPLETE_AGED, TestSessions.NOW.minus(age), age)),
        outcome,
        Duration.ofMillis(1500));
  }
}
