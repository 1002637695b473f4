package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.NOW;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static dev.shipshape.janitor.prune.TestSessions.complete;
import static dev.shipshape.janitor.prune.TestSessions.session;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.prune.PruneReport.Ending;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.Times;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanFileTest {
  private static final DeleteResult ALTERED =
      new DeleteResult(Status.CHANGED, "not as it was when the plan was saved");

  @TempDir Path folder;

  @Test
  void aSavedPlanIsCarriedOutAsItStandsAndNothingElse() throws Exception {
    var longAgo = NOW.minus(Duration.ofDays(30));
    var untold = new Times(longAgo, longAgo, null, longAgo.plusSeconds(1));
    var sessions =
        new FakeStore(NOW, old(1), old(2), session(batcher(4), "complete", untold, "cfs-4"));
    var saved = saved(sessions);
    sessions.stored.put(batcher(3), old(3));

    var report = pruner(sessions, NOW).apply(saved).report();
    assertThat(report.ending()).isEqualTo(Ending.DONE);
    assertThat(report.count(Status.GONE)).isEqualTo(3);
    assertThat(sessions.stored.keySet()).as("not in the plan").containsExactly(batcher(3));
  }

  @Test
  void anEntryThatIsGoneReplacedOrNoLongerChosenIsLeft() throws Exception {
    var sessions = new FakeStore(NOW, old(1), old(2), old(3), old(4), old(5));
    var saved = saved(sessions);
    sessions.stored.remove(batcher(1));
    sessions.stored.put(batcher(2), like(old(2), "another", "1", "complete"));
    sessions.stored.put(batcher(3), like(old(3), old(3).uid(), "2", "running"));
    sessions.stored.put(batcher(4), like(old(4), old(4).uid(), "2", "complete", Mark.KEEP));

    var report = pruner(sessions, NOW).apply(saved).report();
    assertThat(outcomes(report))
        .isEqualTo(
            Map.of(
                batcher(1), new DeleteResult(Status.ALREADY_GONE),
                batcher(2), new DeleteResult(Status.REPLACED),
                batcher(3), new DeleteResult(Status.CHANGED, "state"),
                batcher(4), new DeleteResult(Status.CHANGED, "keep_mark"),
                batcher(5), new DeleteResult(Status.GONE)));
    assertThat(sessions.asked).as("one request in all").hasSize(1);
  }

  @Test
  void oneThatIsNotExactlyAsItWasIsLeftAlthoughTheRulesWouldStillChooseIt() throws Exception {
    var sessions = new FakeStore(NOW, old(1), old(2));
    var saved = saved(sessions);
    sessions.stored.put(batcher(1), like(old(1), old(1).uid(), "2", "complete"));
    sessions.answers.add(
        () -> {
          sessions.stored.put(batcher(2), like(old(2), old(2).uid(), "2", "complete"));
          return new DeleteResult(Status.CHANGED);
        });
    var report = pruner(sessions, NOW).apply(saved).report();
    assertThat(outcomes(report)).isEqualTo(Map.of(batcher(1), ALTERED, batcher(2), ALTERED));
    assertThat(sessions.stored).hasSize(2);
  }

  @Test
  void aReviewSaysWhatWouldHappenAndDeletesNothing() throws Exception {
    var sessions = new FakeStore(NOW, old(1), old(2));
    var saved = saved(sessions);
    sessions.stored.remove(batcher(1));
    var review = pruner(sessions, NOW).review(saved);
    assertThat(review.plan().entries())
        .extracting(e -> e.session().name())
        .containsExactly(batcher(2));
    assertThat(review.settled())
        .extracting(PlanReview.Settled::result)
        .containsExactly(new DeleteResult(Status.ALREADY_GONE));
    assertThat(sessions.asked).isEmpty();
  }

  @Test
  void everyChangeOfASavedFileIsSeen() throws Exception {
    saved(new FakeStore(NOW, old(1), old(2)));
    var file = folder.resolve("plan.json");
    var text = Files.readString(file);
    for (var i = 0; i < text.length(); i++) {
      var other = text.charAt(i) == 'x' ? 'y' : 'x';
      var changed = text.substring(0, i) + other + text.substring(i + 1);
      Files.writeString(file, changed);
      assertThatExceptionOfType(BadPlan.class)
          .as("character %d", i)
          .isThrownBy(() -> PlanFile.read(file))
          .withMessageStartingWith(file.toString());
    }
    Files.writeString(file, text.substring(0, text.length() / 2));
    assertThatExceptionOfType(BadPlan.class)
        .isThrownBy(() -> PlanFile.read(file))
        .withMessageContaining("not JSON");
    Files.writeString(file, text.replace("\n", "").replace(" ", ""));
    assertThat(PlanFile.read(file).entries()).as("its layout means nothing").hasSize(2);
  }

  @Test
  void aPlanThatWasEditedCannotDeleteWhatTheRulesKeep() throws Exception {
    var running = like(complete(1, Duration.ofDays(30)), "uid-1", "1", "running");
    var sessions = new FakeStore(NOW, running);
    var forged =
        new Plan.Entry(
            like(running, "uid-1", "1", "complete"),
            new Verdict.Prune(Verdict.Rule.COMPLETE_AGED, NOW, Duration.ofDays(30)));
    var report =
        pruner(sessions, NOW).apply(new PlanFile("services", NOW, List.of(forged))).report();
    assertThat(outcomes(report).values())
        .containsExactly(new DeleteResult(Status.CHANGED, "state"));
    assertThat(sessions.asked).isEmpty();
  }

  @Test
  void clocksApartStopAnApplyToo() throws Exception {
    var sessions = new FakeStore(NOW, old(1));
    var report = pruner(sessions, NOW.plusSeconds(61)).apply(saved(sessions)).report();
    assertThat(report.ending()).isEqualTo(Ending.STOPPED);
    assertThat(sessions.asked).isEmpty();
  }

  @Test
  void theNewestAreKeptFromAPlanToo() throws Exception {
    var sessions = new FakeStore(NOW, old(1), old(2), old(3));
    var saved = saved(sessions);
    var limits = TestSessions.policy(1, 2000, null);
    var report = pruner(sessions, NOW, limits).apply(saved).report();
    assertThat(outcomes(report))
        .containsEntry(batcher(3), new DeleteResult(Status.CHANGED, "newest"));
    assertThat(sessions.stored.keySet()).containsExactly(batcher(3));
  }

  @Test
  void whereTheRulesChooseTooManyByNowAPlanIsStoppedToo() throws Exception {
    var sessions = new FakeStore(NOW, old(1), complete(9, Duration.ofDays(1)));
    var saved = saved(sessions);
    sessions.stored.put(batcher(2), old(2));
    var limits = TestSessions.policy(0, 2000, 50);
    var report = pruner(sessions, NOW, limits).apply(saved).report();
    assertThat(report.ending()).isEqualTo(Ending.STOPPED);
    assertThat(report.plan().stop()).contains(new Plan.Stop.TooMany(2, 3, 50));
    assertThat(sessions.asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"apiVersion\": \"shipshape.dev/v1\", \"kind\": \"Plan\"}",
        "{\"apiVersion\": \"shipshape.dev/v1\", \"kind\": \"PrunePlan\", \"namespace\": \"x\"}",
        "{\"apiVersion\": \"shipshape.dev/v1\", \"kind\": \"PrunePlan\", \"namespace\": \"x\","
            + " \"at\": \"2026-01-01T00:00:00Z\", \"entries\": [{}]}",
        "{\"apiVersion\": \"shipshape.dev/v1\", "
      })
  void whatIsNoPlanIsRefusedByFileAndField(String text) throws Exception {
    var file = Files.writeString(folder.resolve("plan.json"), text);
    assertThatExceptionOfType(BadPlan.class)
        .isThrownBy(() -> PlanFile.read(file))
        .withMessageStartingWith(file.toString());
  }

  private PlanFile saved(FakeStore sessions) throws Exception {
    var file = folder.resolve("plan.json");
    var plan = PlanFile.of("services", pruner(sessions, NOW).plan());
    plan.write(file);
    var read = PlanFile.read(file);
    assertThat(read).as("in every field").isEqualTo(plan);
    try (var files = Files.list(folder)) {
      assertThat(files).as("no part is left").containsExactly(file);
    }
    sessions.asked.clear();
    return read;
  }

  private static Map<String, DeleteResult> outcomes(PruneReport report) {
    return report.deletions().stream()
        .collect(Collectors.toMap(d -> d.entry().session().name(), Deletion::result));
  }

  private static Pruner pruner(FakeStore sessions, Instant own) {
    return pruner(sessions, own, TestSessions.policy(0, 2000, null));
  }

  private static Pruner pruner(FakeStore sessions, Instant own, Policy policy) {
    return TestSessions.pruner(
        sessions,
        policy,
        TestSessions.ONE_WORKER,
        new AuditLog(_ -> {}, Clock.systemUTC()),
        () -> true,
        InstantSource.fixed(own));
  }

  private static Session old(int number) {
    return complete(number, Duration.ofDays(30 - number));
  }

  private static Session like(
      Session session, @Nullable String uid, String version, String state, Mark... marks) {
    return new Session(
        session.namespace(),
        session.name(),
        uid,
        version,
        state,
        session.times(),
        null,
        Set.of(marks));
  }
}
