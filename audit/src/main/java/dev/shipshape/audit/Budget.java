package dev.shipshape.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How many requests actors may send to the API server. The first limit whose pattern matches an
 * actor applies, to each actor by itself.
 */
public record Budget(List<Limit> limits) {
  /**
   * Limits for one actor. An empty one does not apply.
   *
   * @param bytes of the lines in the log
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
    try (var chronology = Chronology.read(logs, filter, Line.Detail.VERSIONS)) {
      var usages = new TreeMap<>(Top.usages(chronology, AuditEvent::actor));
      var checks = new ArrayList<Check>();
      var unused = new ArrayList<>(limits);
      usages.forEach(
          (actor, usage) ->
              limits.stream()
                  .filter(limit -> limit.actor().matches(actor))
                  .findFirst()
                  .ifPresent(
                      limit -> {
                        unused.remove(limit);
                        check(actor, "requests", usage.requests(), limit.requests(), 0, checks);
                        check(actor, "bytes", usage.bytes(), limit.bytes(), 0, checks);
                        check(
                            actor,
                            "no-op writes",
                            usage.noOps(),
                            limit.noOps(),
                            usage.unjudged(),
                            checks);
                      }));
      return new Result(checks, unused, chronology.report());
    }
  }

  private static void check(
      String actor, String what, long used, OptionalLong limit, long unjudged, List<Check> checks) {
    limit.ifPresent(most -> checks.add(new Check(actor, what, used, most, unjudged)));
  }
}
