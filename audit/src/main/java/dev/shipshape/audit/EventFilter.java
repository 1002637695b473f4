package dev.shipshape.audit;

import java.util.List;
import java.util.Set;

/**
 * Selects events. An empty criterion matches all; of several values of one criterion, one must
 * match.
 *
 * @param uids of the response's object or of the {@code objectRef}
 * @param actors the user or the impersonated user
 * @param codes HTTP status codes, such as {@code 409} or {@code 5*}
 * @param from the earliest arrival of the request, in microseconds since 1970; less than a day is a
 *     time of any day
 * @param to the same, exclusive
 * @param mutations only requests that change something
 */
public record EventFilter(
    List<ObjectPattern> objects,
    Set<String> uids,
    List<TextPattern> actors,
    Set<String> verbs,
    List<TextPattern> codes,
    List<TextPattern> userAgents,
    long from,
    long to,
    boolean mutations) {

  public static final EventFilter ALL =
      new EventFilter(
          List.of(),
          Set.of(),
          List.of(),
          Set.of(),
          List.of(),
          List.of(),
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          false);

  /** All changes in the same time range. */
  EventFilter onlyTimeOfMutations() {
    return new EventFilter(
        List.of(), Set.of(), List.of(), Set.of(), List.of(), List.of(), from, to, true);
  }

  /** All requests for the same objects in the same time range. */
  EventFilter onlyObjectsAndTime() {
    return new EventFilter(
        objects, uids, List.of(), Set.of(), List.of(), List.of(), from, to, false);
  }

  /** Checks cheap and selective criteria first. */
  boolean matches(RawEvent request) {
    return (!mutations || request.mutates())
        && (verbs.isEmpty() || verbs.contains(request.text(Field.VERB)))
        && (objects.isEmpty() || anyObject(request))
        // Of a request that has ended, the arrival has no code.
        && (codes.isEmpty()
            || (request.stage() != Stage.RequestReceived
                && any(codes, Integer.toString(request.code()))))
        && (actors.isEmpty()
            || any(actors, request.text(Field.USER))
            || any(actors, request.text(Field.IMPERSONATED)))
        && (userAgents.isEmpty() || any(userAgents, request.text(Field.AGENT)))
        && (uids.isEmpty()
            || uids.contains(request.uid())
            || uids.contains(request.text(Field.UID)))
        && inTime(request);
  }

  /** Asks every pattern: each remembers whether it has matched. */
  private boolean anyObject(RawEvent request) {
    var any = false;
    for (var object : objects) {
      any |= object.matches(request);
    }
    return any;
  }

  private boolean inTime(RawEvent request) {
    if (from == Long.MIN_VALUE && to == Long.MAX_VALUE) {
      return true;
    }
    var received = request.received();
    var begun = within(received, from) >= from;
    var notEnded = within(received, to) < to;
    // 23:00 to 01:00 includes midnight.
    var isNight = isTimeOfDay(from) && isTimeOfDay(to) && from > to;
    return isNight ? begun || notEnded : begun && notEnded;
  }

  /** Returns the time, reduced to its time of day if the other one is such. */
  private static long within(long time, long other) {
    return isTimeOfDay(other) ? Math.floorMod(time, Times.DAY) : time;
  }

  private static boolean isTimeOfDay(long time) {
    return time >= 0 && time <= Times.DAY;
  }

  private static boolean any(List<TextPattern> patterns, String text) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(text));
  }
}
