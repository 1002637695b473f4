package dev.shipshape.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How much actors may ask of the API server. An actor falls under the first limit whose pattern it
 * matches; each actor has the limit's numbers for itself.
 */
public record Budget(List<Limit> limits) {
  /**
   * Limits for actors; what is not said is not limited.
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
   * @param unjudged writes of which the log does not tell whether they changed anything
   */
  public record Check(String actor, String what, long used, long limit, long unjudged) {
    /** What cannot be judged is not within a limit. */
    public boolean isOver() {
      return used > limit || unjudged > 0;
    }
  }

  /**
   * The checks of all actors that are in the logs and under a limit.
   *
   * @param unused limits that no actor in the logs falls under: perhaps misspelt
   */
  public record Result(List<Check> checks, List<Limit> unused, ReadReport report) {
    public boolean isOver() {
      return checks.stream().anyMatch(Check::isOver);
    }
  }

  /**
   * Checks what logs tell.
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
