package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.NOW;
import static dev.shipshape.janitor.prune.TestSessions.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is killed leaves its two files cut off anywhere, and the session deleted or not.
 * Whatever it left, the next one makes exactly one record of each deletion.
 */
class CutOffWritesTest {
  private static final int STEP = 7;
  private static final Plan.Entry ENTRY = entry(1);

  @TempDir Path folder;

  /**
   * What was on the disk.
   *
   * @param deleted what may have become of the session by then
   */
  private record State(String intents, String records, List<Boolean> deleted) {}

  @Test
  void whereverTheFilesAreCutOffThereIsOneRecordInTheEnd() throws IOException {
    var number = 0;
    for (var state : states()) {
      for (var deleted : state.deleted()) {
        var place = Files.createDirectory(folder.resolve("state-" + number++));
        assertThat(recordsAfterTheNextRun(place, state, deleted)).as("%s", state).hasSize(2);
      }
    }
    assertThat(number).isGreaterThan(100);
  }

  /** The results for the session, and for one that had been recorded long before. */
  private static List<String> recordsAfterTheNextRun(Path place, State state, boolean deleted)
      throws IOException {
    Files.writeString(place.resolve("records.intents"), state.intents());
    Files.writeString(place.resolve("records"), state.records());
    var sessions = new FakeSessions(NOW, complete(1, Duration.ofDays(30)));
    if (deleted) {
      sessions.stored.clear();
    }
    try (var journal = journal(place)) {
      TestSessions.pruner(sessions, journal).run(true, TestSessions.WAIT);
      assertThat(journal.unfinished()).isEmpty();
    }
    assertThat(sessions.stored).isEmpty();
    var gone = new ArrayList<String>();
    for (var line : Files.readAllLines(place.resolve("records"))) {
      var record = TestCluster.json(line);
      assertThat(record.path("result").asText()).isEqualTo("gone");
      gone.add(record.path("object").asText());
    }
    assertThat(gone).doesNotHaveDuplicates();
    return gone;
  }

  /** Every state that one deletion goes through, its writes cut into pieces. */
  private List<State> states() throws IOException {
    var states = new ArrayList<State>();
    var place = Files.createDirectory(folder.resolve("whole"));
    try (var journal = journal(place)) {
      journal.begin(new Intent.OfSession("r0", NOW, entry(2)));
      journal.record("r0", deletion(entry(2)));
      var begun = intents(place);
      var recorded = records(place);
      journal.begin(new Intent.OfSession("r1", NOW, ENTRY));
      var intents = intents(place);
      cuts(begun, intents).forEach(cut -> states.add(new State(cut, recorded, List.of(false))));
      states.add(new State(intents, recorded, List.of(true, false)));
      journal.record("r1", deletion(ENTRY));
      var after = records(place);
      cuts(recorded, after).forEach(cut -> states.add(new State(intents, cut, List.of(true))));
      var ended = intents + "{\"ends\":\"%s\"}\n".formatted(Intent.key(ENTRY.session()));
      cuts(intents, ended).forEach(cut -> states.add(new State(cut, after, List.of(true))));
    }
    return states;
  }

  /** From the text before to the text after, some more at each step. */
  private static List<String> cuts(String before, String after) {
    var cuts = new ArrayList<String>();
    for (var end = before.length(); end < after.length(); end += STEP) {
      cuts.add(after.substring(0, end));
    }
    cuts.add(after.substring(0, after.length() - 1));
    cuts.add(after);
    return cuts;
  }

  private static String intents(Path place) throws IOException {
    return Files.readString(place.resolve("records.intents"));
  }

  private static String records(Path place) throws IOException {
    return Files.readString(place.resolve("records"));
  }

  private static FileJournal journal(Path place) {
    var file = place.resolve("records");
    return new FileJournal(file, 1_000_000, 2, (_, _) -> {}, InstantSource.fixed(NOW));
  }

  private static Plan.Entry entry(int number) {
    var age = Duration.ofDays(30);
    return new Plan.Entry(
        complete(number, age), new Verdict.Prune(Verdict.Rule.COMPLETE_AGED, NOW.minus(age), age));
  }

  private static Deletion deletion(Plan.Entry entry) {
    return new Deletion(entry, new Outcome.Gone(), Duration.ofSeconds(1));
  }
}
