package dev.shipshape.webhook.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.webhook.Said;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.GuardReader;
import dev.shipshape.webhook.index.KnownInvalidIndex;
import dev.shipshape.webhook.index.Projection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a replica remembers of its own watch, where another one writes it down, or nobody does. */
class MemoryTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final MemoryLimits LIMITS = new MemoryLimits(2, Duration.ofDays(30));
  private static final int MOST_LESSONS = 1_000;
  private static final boolean FOLLOWER = false;
  private static final boolean LEADER = true;

  private Instant now = NOON;
  private Duration elapsed = Duration.ZERO;
  private Book book = Book.EMPTY;
  private final Guard guard = GuardReader.preset("nodeconfig").getFirst();
  private final KnownInvalidIndex index = new KnownInvalidIndex();
  private final Memory memory = memory();

  @Test
  void aFailureOlderThanIsKeptIsNotLearned() throws Exception {
    see(1, NOON.minus(LIMITS.keep()));
    see(2, NOON.minus(LIMITS.keep()).plusSeconds(1));

    assertThat(remembers(1)).isFalse();
    assertThat(remembers(2)).isTrue();
  }

  @Test
  void whatExpiresUnwrittenIsForgottenByAFollowerToo() throws Exception {
    see(1, NOON.minus(LIMITS.keep()).plusSeconds(1));
    now = NOON.plusSeconds(1);

    memory.tidy(FOLLOWER);

    assertThat(remembers(1)).isFalse();
  }

  @Test
  void whatTheLeaderCrowdsOutIsForgottenByAFollowerToo() throws Exception {
    for (var number = 1; number <= 3; number++) {
      see(number, NOON.plusSeconds(number));
    }
    memory.read(Book.EMPTY.taught(memory.lessons()).within(LIMITS, now), 1);
    assertThat(remembers(1)).isTrue();

    memory.tidy(FOLLOWER);

    assertThat(List.of(remembers(1), remembers(2), remembers(3)))
        .containsExactly(false, true, true);
  }

  @Test
  void whatNobodyWritesIsForgottenAfterAWhileByAFollowerAlone() throws Exception {
    see(1, NOON);
    elapsed = Duration.ofMinutes(10).minusSeconds(1);
    memory.tidy(FOLLOWER);
    assertThat(remembers(1)).isTrue();

    elapsed = Duration.ofMinutes(10);
    memory.tidy(LEADER);
    assertThat(remembers(1)).as("the leader tries to write it").isTrue();
    memory.tidy(FOLLOWER);
    assertThat(remembers(1)).isFalse();
  }

  @Test
  void aClockThatIsSetMakesNobodyWaitLongerOrLess() throws Exception {
    see(1, NOON);

    for (var jump : List.of(Duration.ofHours(2), Duration.ofDays(-60))) {
      now = NOON.plus(jump);
      memory.tidy(FOLLOWER);
      assertThat(remembers(1)).as("after %s", jump).isTrue();
    }
  }

  @Test
  void aClockFarBehindKeepsWhatIsLearnedAndWhatIsRemembered() throws Exception {
    now = NOON.minus(Duration.ofDays(400));
    memory.read(written(1, NOON), 1);
    see(2, NOON);

    memory.tidy(FOLLOWER);
    memory.tidy(LEADER);

    assertThat(List.of(remembers(1), remembers(2))).containsExactly(true, true);
  }

  @Test
  void whileTheTimeIsNotKnownNothingIsTooOld() throws Exception {
    now = Instant.EPOCH;
    see(1, NOON.minus(LIMITS.keep()));
    see(2, NOON);

    memory.tidy(FOLLOWER);
    memory.tidy(LEADER);
    assertThat(List.of(remembers(1), remembers(2))).containsExactly(true, true);

    now = NOON;
    memory.tidy(FOLLOWER);
    assertThat(List.of(remembers(1), remembers(2))).containsExactly(false, true);
  }

  @Test
  void whatIsNotKeptIsSaid() throws Exception {
    try (var said = new Said()) {
      see(1, NOON.minus(LIMITS.keep()));
      assertThat(said.text())
          .contains("nodeconfig", hash(1), "NodeConfig worker-1", "is not kept: it is older");
    }
    see(2, NOON);
    elapsed = Duration.ofMinutes(10);
    try (var said = new Said()) {
      memory.tidy(FOLLOWER);
      assertThat(said.text()).contains(hash(2), "is not kept: no replica has written it down");
    }
    now = NOON.plus(LIMITS.keep());
    see(3, NOON.plusSeconds(1));
    var learned = memory.lessons();
    now = now.plusSeconds(1);
    memory.read(Book.EMPTY.taught(learned).within(LIMITS, now), 1);
    try (var said = new Said()) {
      memory.settled(learned);
      assertThat(said.text()).contains(hash(3), "is not kept: the limits leave it out");
    }
  }

  @Test
  void thatSomethingSeenAgainAndAgainIsNotKeptIsSaidOnce() throws Exception {
    try (var said = new Said()) {
      see(1, NOON.minus(LIMITS.keep()));
      see(1, NOON.minus(LIMITS.keep()));
      see(2, NOON.minus(LIMITS.keep()));
      assertThat(said.text().split("is not kept", -1)).hasSize(1 + 2);
    }
  }

  @Test
  void whereTooMuchWaitsToBeWrittenTheNewestIsLearned() throws Exception {
    for (var number = 0; number <= MOST_LESSONS; number++) {
      see(number, NOON.plusSeconds(number));
    }

    assertThat(remembers(MOST_LESSONS)).isTrue();
    assertThat(remembers(0)).isFalse();
    assertThat(remembers(1)).isTrue();
    assertThat(memory.lessons()).hasSize(MOST_LESSONS);
  }

  @Test
  void whatIsNotLearnedMakesNoLinesOfItsOwnInTheLog() throws Exception {
    for (var number = 1; number <= MOST_LESSONS; number++) {
      see(number, NOON.plusSeconds(number));
    }
    var object =
        object(
            0,
            "\"status\":{\"configStatus\":\"invalid\"},",
            "{\"manager\":\"\\n[main] INFO forged\",\"subresource\":\"status\",\"time\":\"%s\",\"fieldsV1\":{\"f:status\":{}}}"
                .formatted(NOON));
    try (var said = new Said()) {
      memory.seen(guard, object, Projection.of(guard, object));

      assertThat(said.text().lines())
          .hasSize(1)
          .noneMatch(line -> line.startsWith("[main] INFO f"));
    }
  }

  @Test
  void whatChangesNothingIsNotSaid() throws Exception {
    try (var said = new Said()) {
      seeWorking(1, NOON.minus(LIMITS.keep()));
      assertThat(said.text()).doesNotContain("is not kept");
    }
  }

  @Test
  void whatWorkedAndWasSeenBeforeTheConfigMapWasReadIsForgotten() throws Exception {
    var failed = written(1, NOON);
    seeWorking(1, NOON.plusSeconds(1));

    memory.read(failed, 1);

    assertThat(remembers(1)).isFalse();
    assertThat(memory.lessons()).as("for the leader to write").hasSize(1);
  }

  @Test
  void whatWorkedBeforeItFailedIsRemembered() throws Exception {
    var failed = written(1, NOON);
    seeWorking(1, NOON);

    memory.read(failed, 1);

    assertThat(remembers(1)).isTrue();
  }

  @Test
  void whatFailedAndThenWorkedBeforeAnyOfItIsWrittenIsForgotten() throws Exception {
    memory.read(Book.EMPTY, 0);
    see(1, NOON);
    seeWorking(1, NOON.plusSeconds(5));
    assertThat(remembers(1)).isFalse();

    write(1);

    assertThat(remembers(1)).isFalse();
    assertThat(memory.lessons()).isEmpty();
  }

  @Test
  void whatWorkedAndThenFailedAgainBeforeAnyOfItIsWrittenIsRemembered() throws Exception {
    book = written(1, NOON);
    memory.read(book, 1);
    seeWorking(1, NOON.plusSeconds(5));
    see(1, NOON.plusSeconds(10));
    assertThat(remembers(1)).isTrue();

    write(2);

    assertThat(remembers(1)).isTrue();
    assertThat(memory.lessons()).isEmpty();
  }

  @Test
  void whatWorkedBeforeItFailedAgainIsRememberedInWhateverOrderItIsSeen() throws Exception {
    var failed = written(1, NOON);
    for (var worksFirst : List.of(false, true)) {
      var fresh = memory();
      fresh.read(failed, 1);
      if (worksFirst) {
        see(fresh, "provisioned", 1, NOON.plusSeconds(10));
      }
      see(fresh, "invalid", 1, NOON.plusSeconds(29));
      see(fresh, "provisioned", 1, NOON.plusSeconds(10));

      assertThat(fresh.size()).as("works first: %s", worksFirst).isEqualTo(1);
    }
  }

  @Test
  void whatFailsAgainADayLaterIsWrittenWithItsTimeAndKeptFromThenOn() throws Exception {
    book = written(1, NOON);
    memory.read(book, 1);
    now = NOON.plus(Duration.ofDays(29));
    see(1, now);

    assertThat(memory.isToBeWritten()).isTrue();
    write(2);
    assertThat(memory.isToBeWritten()).isFalse();
    assertThat(memory.lessons()).isEmpty();
    now = now.plus(Duration.ofDays(29));
    assertThat(book.within(LIMITS, now).records()).hasSize(1);
  }

  @Test
  void aStatusThatIsWrittenAgainAndAgainIsNoReasonToWriteNorToKeepMoreThanTheLast()
      throws Exception {
    book = written(1, NOON);
    memory.read(book, 1);
    for (var minute = 1; minute < Duration.ofDays(1).toMinutes(); minute++) {
      see(1, NOON.plus(Duration.ofMinutes(minute)));
      assertThat(memory.isToBeWritten()).isFalse();
    }
    assertThat(memory.lessons()).hasSize(1);

    see(1, NOON.plus(Duration.ofDays(1)));
    assertThat(memory.isToBeWritten()).isTrue();
  }

  @Test
  void whatIsTakenOutOfTheConfigMapDoesNotComeBackBecauseItFailedAgainBefore() throws Exception {
    see(1, NOON.plusSeconds(5));
    memory.read(written(1, NOON), 1);
    memory.read(Book.EMPTY, 2);
    assertThat(remembers(1)).as("as after a start").isFalse();

    memory.read(written(1, NOON), 3);
    see(1, NOON.plusSeconds(5));
    memory.read(Book.EMPTY, 4);
    assertThat(remembers(1)).isFalse();
  }

  @Test
  void aFollowerWaitsForNobodyToWriteThatSomethingFailedAgain() throws Exception {
    memory.read(written(1, NOON), 1);
    see(1, NOON.plusSeconds(5));
    elapsed = Duration.ofMinutes(10);
    try (var said = new Said()) {
      memory.tidy(FOLLOWER);
      assertThat(said.text()).doesNotContain("is not kept");
    }
    seeWorking(1, NOON.plusSeconds(3));
    assertThat(remembers(1)).isTrue();
  }

  @Test
  void perNodeAHeartbeatOnOneNodeDoesNotOutdateWhatWorksOnAnother() throws Exception {
    var each = memory();
    see(each, "invalid", 1, 1, NOON);
    see(each, "invalid", 1, 2, NOON);
    each.read(Book.EMPTY.taught(each.lessons()), 1);

    see(each, "invalid", 1, 2, NOON.plusSeconds(60));
    see(each, "provisioned", 1, 1, NOON.plusSeconds(50));

    var failed = each.ofInvalid(guard, guard.identity().hash(object(1, "", ""))).orElseThrow();
    assertThat(failed.nodes()).containsExactly("worker-2");
  }

  @Test
  void whereNodesAreKnownApartOneTooManyIsSaidOnce() throws Exception {
    var each = memory();
    for (var node = 1; node <= Lesson.MOST_NODES; node++) {
      see(each, "invalid", 1, node, NOON);
    }
    try (var said = new Said()) {
      see(each, "invalid", 1, Lesson.MOST_NODES, NOON);
      assertThat(said.text()).isEmpty();
      see(each, "invalid", 1, Lesson.MOST_NODES + 1, NOON);
      see(each, "invalid", 1, Lesson.MOST_NODES + 2, NOON);
      assertThat(said.text().split("is not kept: its entry names the most", -1)).hasSize(1 + 1);
    }
  }

  @Test
  void whatAListSaysIsTakenThoughTheVersionsBeginEarlierThanBefore() throws Exception {
    memory.read(written(1, NOON), 1_000);
    memory.read(written(2, NOON), 10);
    assertThat(List.of(remembers(1), remembers(2))).containsExactly(true, false);

    memory.readAnew(written(2, NOON), 10);
    assertThat(List.of(remembers(1), remembers(2))).containsExactly(false, true);

    memory.read(written(3, NOON), 11);
    assertThat(remembers(3)).isTrue();
  }

  /** As the leader does. */
  private void write(long version) {
    var lessons = memory.lessons();
    book = book.taught(lessons).within(LIMITS, now);
    memory.read(book, version);
    memory.settled(lessons);
  }

  /** What the ConfigMap says where another replica has seen this. */
  private Book written(int number, Instant at) throws IOException {
    var other = memory();
    see(other, "invalid", number, at);
    return Book.EMPTY.taught(other.lessons());
  }

  private void see(int number, Instant at) throws IOException {
    see(memory, "invalid", number, at);
  }

  private void seeWorking(int number, Instant at) throws IOException {
    see(memory, "provisioned", number, at);
  }

  private void see(Memory by, String status, int number, Instant at) throws IOException {
    see(by, status, number, number, at);
  }

  private void see(Memory by, String status, int number, int node, Instant at) throws IOException {
    var object =
        object(
            node,
            number,
            "\"status\":{\"configStatus\":\"%s\"},".formatted(status),
            "{\"subresource\":\"status\",\"time\":\"%s\",\"fieldsV1\":{\"f:status\":{}}}"
                .formatted(at));
    var seen = Projection.of(guard, object);
    index.put(seen);
    by.seen(guard, object, seen);
  }

  private Memory memory() {
    var journal =
        new MemoryJournal(() -> false, () -> now, LIMITS.keep(), new SimpleMeterRegistry());
    var begun = new Memory(LIMITS, () -> now, () -> elapsed.toNanos(), journal);
    begun.begins(guard, index);
    return begun;
  }

  private boolean remembers(int number) throws IOException {
    return memory.ofInvalid(guard, guard.identity().hash(object(number, "", ""))).isPresent();
  }

  private String hash(int number) throws IOException {
    return guard.identity().hash(object(number, "", "")).toString();
  }

  private static JsonNode object(int number, String status, String managed) throws IOException {
    return object(number, number, status, managed);
  }

  private static JsonNode object(int node, int number, String status, String managed)
      throws IOException {
    return new JsonMapper()
        .readTree(
            "{\"metadata\":{\"name\":\"worker-%1$d\",\"managedFields\":[%3$s]},%2$s\"spec\":{\"layer2\":[{\"id\":%4$d}]}}"
                .formatted(node, status, managed, number));
  }
}
