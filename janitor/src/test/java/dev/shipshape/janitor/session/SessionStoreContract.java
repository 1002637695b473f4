package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.sandbox.junit.Promise;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every world's door must keep. */
abstract class SessionStoreContract {
  static final String COMPLETED = "2026-01-01T00:00:00Z";

  abstract SessionStore sessions();

  /** Stores a complete session that is not there yet, or replaces one of that name. */
  abstract void complete(String name);

  /** Changes a session's state. */
  abstract void run(String name);

  /** With that in its mark. */
  abstract void keep(String name, String value);

  final void keep(String name) {
    keep(name, "true");
  }

  abstract void giveImage(String name);

  /** With that in {@code succeeded}; null to leave it out. */
  abstract void succeed(String name, @Nullable String value);

  /** What the answer to a deletion that is carried out at once proves. */
  Status deleted() {
    return Status.GONE;
  }

  @Test
  void everySessionIsListedOnceWithWhatAVerdictNeeds() {
    for (var name : List.of("b", "a", "c")) {
      complete(name);
    }
    keep("a");
    giveImage("b");
    run("c");
    var listed = list();
    assertThat(listed).extracting(Session::name).containsExactly("a", "b", "c");
    assertThat(listed)
        .extracting(Session::state)
        .containsExactly("complete", "complete", "running");
    assertThat(listed.get(0).marks()).containsExactly(Mark.KEEP);
    assertThat(listed.get(1).marks()).containsExactly(Mark.IMAGE_RESULT);
    assertThat(listed.get(2).marks()).isEmpty();
    assertThat(listed.get(1).times().completed()).isEqualTo(Instant.parse(COMPLETED));
    listed.forEach(session -> assertThat(sessions().get(session)).contains(session));
  }

  @Test
  void whateverIsSaidButFalseKeepsASession() {
    complete("one");
    for (var value : List.of("true", "True", "yes", "1", "", "until friday")) {
      keep("one", value);
      assertThat(list().getFirst().marks()).as(value).containsExactly(Mark.KEEP);
    }
    for (var value : List.of("false", "False")) {
      keep("one", value);
      assertThat(list().getFirst().marks()).as(value).isEmpty();
    }
  }

  @Test
  void onlyOneThatSaysThatItSucceededHasNotFailed() {
    complete("one");
    for (var value : Arrays.asList("false", "none", "unknown", "True", "", null)) {
      succeed("one", value);
      assertThat(list().getFirst().marks()).as(value).containsExactly(Mark.FAILED);
    }
    run("one");
    assertThat(list().getFirst().marks()).as("it has not ended").isEmpty();
    complete("two");
    succeed("two", "true");
    assertThat(list().getLast().marks()).isEmpty();
  }

  @Test
  void oneThatIsUnchangedIsDeletedAndGone() {
    complete("one");
    complete("two");
    var listed = list();
    assertThat(sessions().delete(listed.getFirst())).isEqualTo(new DeleteResult(deleted()));
    assertThat(list()).containsExactly(listed.getLast());
    assertThat(sessions().delete(listed.getFirst()))
        .isEqualTo(new DeleteResult(Status.ALREADY_GONE));
    assertThat(sessions().get(listed.getFirst())).isEmpty();
  }

  @Promise(
      value = "A session that changed since it was listed is not deleted.",
      breaks = "Omitting the resourceVersion.")
  @Test
  void oneThatChangedIsNotDeleted() {
    complete("one");
    var seen = list().getFirst();
    run("one");
    assertThat(sessions().delete(seen)).isEqualTo(new DeleteResult(Status.CHANGED));
    assertThat(list().getFirst().state()).isEqualTo("running");
  }

  @Test
  void oneThatIsToBeKeptMeanwhileIsNotDeleted() {
    complete("one");
    var seen = list().getFirst();
    keep("one");
    assertThat(sessions().delete(seen)).isEqualTo(new DeleteResult(Status.CHANGED));
    assertThat(list()).hasSize(1);
  }

  @Test
  void anotherOneOfTheSameNameIsNotDeleted() {
    complete("one");
    var seen = list().getFirst();
    assertThat(sessions().delete(seen)).isEqualTo(new DeleteResult(deleted()));
    complete("one");
    var fresh = list().getFirst();
    assertThat(fresh.isSameAs(seen)).isFalse();
    assertThat(sessions().delete(seen)).isEqualTo(new DeleteResult(Status.CHANGED));
    assertThat(list()).containsExactly(fresh);
  }

  List<Session> list() {
    var list = sessions().list();
    assertThat(list.serverTime()).isNotNull();
    return list.sessions().toList();
  }
}
