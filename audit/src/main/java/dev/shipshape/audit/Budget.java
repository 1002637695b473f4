package dev.shipshape.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * How many requests actors may send to the API server. The first limit whose pattern matches an
 * actor applies, to each actor by itself.
 */
public record Budget(List<Limit> limits) {
  /**
   * Limits for one actor. An empty one does not apply.
   *
   * @param bytes of the events' JSON
   * @param noOps writes that change nothing
   */
  public record Limit(
      TextPattern actor, OptionalLong requests, OptionalLong bytes, OptionalLong noOps) {}

  /**
   * What one actor used of one limit.
   *
   * @param what {@code requests}, {@code bytes} or {@code no-op writes}
   * @param unjudged writes without the bodies that show whether they changed anything
   */
  public record Check(String actor, String what, long used, long limit, long unjudged) {
    /** Unjudged writes count as used. */
    public boolean isOver() {
      return used > limit || unjudged > 0;
    }
  }

  /**
   * The checks of all actors in the logs to which a limit applies.
   *
   * @param unused limits that match no actor in the logs: perhaps misspelt
   */
  public record Result(List<Check> checks, List<Limit> unused, ReadReport report) {
    public boolean isOver() {
      return checks.stream().anyMatch(Check::isOver);
    }
  }

  /**
   * Checks logs.
   *
   * @throws IOException if a log cannot be read
   */
  public Result check(Chronology.Logs logs, EventFilter filter) throws IOException {
    var top = Top.of(logs, filter, Top.By.ACTOR);
    var checks = new ArrayList<Check>();
    var unused = new ArrayList<>(limits);
    for (var row : top.rows().stream().sorted(Comparator.comparing(Top.Row::key)).toList()) {
      var matching = limits.stream().filter(limit -> limit.actor().matches(row.key())).toList();
      unused.removeAll(matching);
      if (!matching.isEmpty()) {
        var limit = matching.getFirst();
        check(row, "requests", row.requests(), limit.requests(), 0, checks);
        check(row, "bytes", row.bytes(), limit.bytes(), 0, checks);
        check(row, "no-op writes", row.noOps(), limit.noOps(), row.unjudged(), checks);
      }
    }
    return new Result(checks, unused, top.report());
  }

  private static void check(
      Top.Row row, String what, long used, OptionalLong limit, long unjudged, List<Check> checks) {
    limit.ifPresent(max -> checks.add(new Check(row.key(), what, used, max, unjudged)));
  }
}
