package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.Sessions;
import dev.shipshape.janitor.session.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sessions for tests. */
public final class TestSessions {
  static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  static final Rules RULES =
      new Rules(NamePattern.BATCHER, Duration.ofDays(7), Duration.ofMinutes(5), null, false);

  /** {@link #RULES}, and stuck ones too. */
  static final Rules WITH_PENDING =
      new Rules(
          NamePattern.BATCHER,
          Duration.ofDays(7),
          Duration.ofMinutes(5),
          Duration.ofHours(1),
          false);

  static final Wait WAIT = new Wait(true, Duration.ofSeconds(10));

  private TestSessions() {}

  /** A pruner of sessions in memory, one request at a time. */
  static Pruner pruner(Sessions sessions, Journal journal) {
    return new Pruner(
        sessions,
        Dependents.NONE,
        RULES,
        new Limits(0, 2000, null, Duration.ofMinutes(1)),
        new Pace(1, 1000),
        journal,
        new StopSignal(() -> true),
        InstantSource.fixed(NOW));
  }

  /** The batcher's name number {@code number}. */
  public static String batcher(int number) {
    return "batcher-%08x-0000-4000-8000-%012x".formatted(number, number);
  }

  /** A complete one that ended so long before now. */
  static Session complete(int number, Duration age) {
    return session(batcher(number), "complete", times(null, null, NOW.minus(age)), null);
  }

  /** One of a plan. */
  public static Plan.Entry entry() {
    var age = Duration.ofDays(8);
    return new Plan.Entry(
        complete(1, age), new Verdict.Prune(Verdict.Rule.COMPLETE_AGED, NOW.minus(age), age));
  }

  static Session session(
      String name, String state, Times times, @Nullable String job, Mark... marks) {
    return new Session("services", name, "uid-" + name, "1", state, times, job, Set.of(marks));
  }

  static Times times(
      @Nullable Instant created, @Nullable Instant started, @Nullable Instant completed) {
    return new Times(created, started, completed, null);
  }
}
