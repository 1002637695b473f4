package dev.shipshape.audit;

import java.util.List;
import java.util.Set;

/**
 * Which events are wanted. What is empty lets all through; within one criterion, one of several
 * suffices.
 *
 * @param uids as the client sent them, or as the response's object has them
 * @param actors the user, or who was impersonated
 * @param codes HTTP status codes, such as {@code 409} or {@code 5*}
 * @param from microseconds since 1970, of the request's arrival
 * @param to microseconds since 1970, not included
 * @param mutations only requests that ask to change something
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

  /** Lets everything through. */
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

  /** Its lists are its own. */
  public EventFilter {
    objects = List.copyOf(objects);
    uids = Set.copyOf(uids);
    actors = List.copyOf(actors);
    verbs = Set.copyOf(verbs);
    codes = List.copyOf(codes);
    userAgents = List.copyOf(userAgents);
  }

  /** Lets through what is about one of these objects. */
  public static EventFilter of(List<ObjectPattern> objects) {
    return new EventFilter(
        objects,
        ALL.uids,
        ALL.actors,
        ALL.verbs,
        ALL.codes,
        ALL.userAgents,
        ALL.from,
        ALL.to,
        false);
  }

  /** All changes of the same time. */
  EventFilter onlyTimeOfMutations() {
    return new EventFilter(
        ALL.objects, ALL.uids, ALL.actors, ALL.verbs, ALL.codes, ALL.userAgents, from, to, true);
  }

  /** As {@link #matches(Line)}. */
  boolean matches(AuditEvent event) {
    return (!mutations || event.mutates())
        && (verbs.isEmpty() || verbs.contains(event.verb()))
        && (objects.isEmpty() || objects.stream().anyMatch(each -> each.matches(event.object())))
        && (codes.isEmpty() || any(codes, Integer.toString(event.code())))
        && (actors.isEmpty() || any(actors, event.actor()) || any(actors, event.impersonator()))
        && (userAgents.isEmpty() || any(userAgents, event.userAgent()))
        && (uids.isEmpty() || uids.contains(event.uid()))
        && event.received() >= from
        && event.received() < to;
  }

  /** The cheap and the selective first. */
  boolean matches(Line line) {
    return (!mutations || line.mutates())
        && (verbs.isEmpty() || verbs.contains(line.text(Field.VERB)))
        && (objects.isEmpty() || objects.stream().anyMatch(object -> object.matches(line)))
        && (codes.isEmpty() || any(codes, line.text(Field.CODE)))
        && (actors.isEmpty()
            || any(actors, line.text(Field.USER))
            || any(actors, line.text(Field.IMPERSONATED)))
        && (userAgents.isEmpty() || any(userAgents, line.text(Field.AGENT)))
        && (uids.isEmpty() || uids.contains(line.uid()) || uids.contains(line.text(Field.UID)))
        && inTime(line);
  }

  private boolean inTime(Line line) {
    if (from == Long.MIN_VALUE && to == Long.MAX_VALUE) {
      return true;
    }
    var received = line.received();
    return received >= from && received < to;
  }

  private static boolean any(List<TextPattern> patterns, String text) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(text));
  }
}
