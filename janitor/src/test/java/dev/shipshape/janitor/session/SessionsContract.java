package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.session.Session.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every world's door must keep. */
abstract class SessionsContract {
  static final String COMPLETED = "2026-01-01T00:00:00Z";

  abstract Sessions sessions();

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
    listed.forEach(session -> assertThat(sessions().reread(session)).contains(session));
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
  void oneThatIsUnchangedIsDeletedAndGone() {
    complete("one");
    complete("two");
    var listed = list();
    assertThat(sessions().delete(listed.getFirst())).isEqualTo(new DeleteAnswer.Gone());
    assertThat(list()).containsExactly(listed.getLast());
    assertThat(sessions().delete(listed.getFirst())).isEqualTo(new DeleteAnswer.NotFound());
    assertThat(sessions().reread(listed.getFirst())).isEmpty();
    assertThat(sessions().awaitGone(listed.subList(0, 1), Duration.ofSeconds(1))).isEmpty();
    assertThat(sessions().awaitGone(listed.subList(1, 2), Duration.ofSeconds(1))).hasSize(1);
  }

  @Test
  void oneThatChangedIsNotDeleted() {
    complete("one");
    var seen = list().getFirst();
    run("one");
    assertThat(sessions().delete(seen)).isEqualTo(new DeleteAnswer.Conflict());
    assertThat(list()).hasSize(1);
  }

  @Test
  void oneThatIsToBeKeptMeanwhileIsNotDeleted() {
    complete("one");
    var seen = list().getFirst();
    keep("one");
    assertThat(sessions().delete(seen)).isEqualTo(new DeleteAnswer.Conflict());
    assertThat(list()).hasSize(1);
  }

  @Test
  void anotherOneOfTheSameNameIsNotDeletedNorWaitedFor() {
    complete("one");
    var seen = list().getFirst();
    assertThat(sessions().delete(seen)).isEqualTo(new DeleteAnswer.Gone());
    complete("one");
    var fresh = list().getFirst();
    assertThat(fresh.isSameAs(seen)).isFalse();
    assertThat(sessions().delete(seen)).isEqualTo(new DeleteAnswer.Conflict());
    assertThat(list()).containsExactly(fresh);
    assertThat(sessions().awaitGone(List.of(seen), Duration.ofSeconds(1))).isEmpty();
  }

  List<Session> list() {
    var found = new ArrayList<Session>();
    sessions()
        .list(
            new Sessions.Listener() {
              private @Nullable Instant server;

              @Override
              public void begin(Instant server) {
                assertThat(this.server).as("begins once").isNull();
                this.server = server;
              }

              @Override
              public void each(Session session) {
                assertThat(server).isNotNull();
                found.add(session);
              }
            });
    return found;
  }
}
