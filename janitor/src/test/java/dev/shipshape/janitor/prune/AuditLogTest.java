package dev.shipshape.janitor.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final PendingDeletion PENDING = pending("run-1");
  private static final DeleteResult GONE = new DeleteResult(Status.GONE);

  private final List<String> told = new ArrayList<>();
  @TempDir private Path folder = Path.of("");

  @Test
  void whatWasBegunAndNotRecordedIsKnownToTheNextProcess() throws IOException {
    try (var killed = log(1_000)) {
      killed.begin(PENDING);
      assertThat(killed.unfinished()).as("it is at work on it").isEmpty();
    }
    try (var next = log(1_000)) {
      assertThat(next.unfinished()).containsExactly(PENDING);
      next.end(PENDING, GONE);
      assertThat(next.unfinished()).isEmpty();
    }
    assertThat(lines()).hasSize(2);
    assertThat(told).containsExactly(lines().getLast());
  }

  @Test
  void aLaterTryAtTheSameObjectEndsTheEarlierOneToo() throws IOException {
    try (var killed = log(1_000)) {
      killed.begin(PENDING);
    }
    try (var next = log(10_000)) {
      assertThat(next.unfinished()).hasSize(1);
      next.begin(pending("run-2"));
      next.end(pending("run-2"), GONE);
    }
    try (var third = log(10_000)) {
      assertThat(third.unfinished()).isEmpty();
    }
    assertThat(told).as("one record").hasSize(1);
  }

  @Test
  void whatIsUnknownIsLeftToTheNextRunAndNotRecorded() {
    try (var log = log(1_000)) {
      log.begin(PENDING);
      log.end(PENDING, new DeleteResult(Status.UNKNOWN, "no answer"));
      assertThat(told).isEmpty();
      assertThat(log.unfinished()).containsExactly(PENDING);
    }
  }

  @Test
  void aLineThatWasNotWrittenToItsEndCountsForNothing() throws IOException {
    try (var killed = log(1_000)) {
      killed.begin(PENDING);
      killed.end(PENDING, GONE);
    }
    var whole = Files.readString(file());
    for (var end = whole.indexOf('\n') + 1; end < whole.length(); end++) {
      Files.writeString(file(), whole.substring(0, end));
      try (var next = log(1_000)) {
        assertThat(next.unfinished()).as("after %d characters", end).containsExactly(PENDING);
        next.end(PENDING, GONE);
      }
      assertThat(lines()).hasSize(2);
    }
  }

  @Test
  void whereTheFileIsNoneOfOursNothingMayBeDeleted() throws IOException {
    Files.writeString(file(), "{\"event\": \"begin\"}\n");
    try (var log = log(1_000)) {
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(log::unfinished)
          .withMessageContaining("prune.records.file")
          .withMessageContaining(file().toString());
    }
  }

  @Test
  void whereAnotherOneHoldsTheFileNothingMayBeDeleted() {
    try (var one = log(1_000);
        var other = log(1_000)) {
      one.begin(PENDING);
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(() -> other.begin(PENDING))
          .withMessageContaining("is open in this process already");
    }
  }

  @Test
  void aRecordThatCouldNotBeWrittenIsToldAndWrittenBeforeAnythingElse() throws IOException {
    var full = folder.resolve("full");
    Files.createDirectory(full);
    var records = new AuditLog(told::add, new AuditFile(full, 1_000, 2), Clock.systemUTC());
    records.end(PENDING, GONE);
    assertThat(told).hasSize(1);
    Files.delete(full);
    records.begin(pending("run-2"));
    records.close();
    assertThat(Files.readAllLines(full)).hasSize(2).startsWith(told.getFirst());
  }

  @Test
  void whatWasBegunInAFileThatIsFullByNowIsKnownToo() {
    try (var killed = log(10)) {
      killed.begin(PENDING);
      killed.begin(pending("run-2"));
    }
    assertThat(folder.resolve("records.1")).exists();
    try (var next = log(10)) {
      assertThat(next.unfinished()).hasSize(1);
    }
  }

  @Test
  void aFullFileIsRenamed() throws IOException {
    try (var log = log(10)) {
      for (var run = 1; run <= 4; run++) {
        log.begin(pending("run-" + run));
        log.end(pending("run-" + run), GONE);
      }
    }
    assertThat(lines()).hasSize(2).allMatch(line -> line.contains("run-4"));
    assertThat(Files.readString(folder.resolve("records.1"))).contains("run-3");
    assertThat(Files.readString(folder.resolve("records.2"))).contains("run-2");
    assertThat(folder.resolve("records.3")).doesNotExist();
  }

  @Test
  void whatAnAdministratorAppendsIsKept() throws IOException {
    try (var log = log(1_000)) {
      log.begin(PENDING);
      log.end(PENDING, GONE);
    }
    Files.writeString(file(), "{\"note\": \"mine\"}\n", StandardOpenOption.APPEND);
    try (var log = log(1_000)) {
      log.begin(pending("run-2"));
    }
    assertThat(lines()).hasSize(4);
  }

  private AuditLog log(long mostBytes) {
    return new AuditLog(told::add, new AuditFile(file(), mostBytes, 2), Clock.systemUTC());
  }

  private Path file() {
    return folder.resolve("records");
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(file());
  }

  private static PendingDeletion pending(String run) {
    return new PendingDeletion(run, TestSessions.NOW, TestSessions.entry());
  }
}
