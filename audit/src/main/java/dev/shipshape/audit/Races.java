package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds requests that conflict, with those that prove it. */
public final class Races {
  /**
   * Conflicts that Kubernetes' own controllers have all the time and resolve themselves: they write
   * from their caches, and try again after a conflict.
   */
  static final List<Allowance> CONTROL_PLANE =
      List.of(
              "system:apiserver",
              "system:kube-*",
              "system:node:*",
              "system:serviceaccount:kube-system:*")
          .stream()
          .flatMap(
              actor ->
                  List.of(Race.Kind.LOST_UPDATE, Race.Kind.NO_OP).stream()
                      .map(kind -> new Allowance(kind, TextPattern.of(actor))))
          .toList();

  private Races() {}

  /** Hides races of a kind if the first actor matches. */
  public record Allowance(Race.Kind kind, TextPattern actor) {
    boolean covers(Race race) {
      return kind == race.kind() && actor.matches(race.actors().getFirst());
    }
  }

  /**
   * What was found.
   *
   * @param asked writes that match the filter
   * @param withoutBody those of them that could not be judged, because their bodies or codes are
   *     not in the log
   * @param unknown objects that were created again, whose predecessors may have owned more than the
   *     log shows
   * @param dropped objects and fields that were too many to be remembered
   */
  public record Result(
      List<Race> races,
      long asked,
      long withoutBody,
      int unknown,
      int dropped,
      ReadReport report) {}

  /**
   * Looks for races.
   *
   * @param filter a race is reported if one of its requests matches
   * @param system whether to report lost updates and no-op writes of Kubernetes itself, too
   * @throws IOException if a log cannot be read
   */
  public static Result find(
      Chronology.Logs logs, EventFilter filter, List<Allowance> allowed, boolean system)
      throws IOException {
    // The evidence of a race may be requests that the filter does not match.
    try (var chronology =
        Chronology.read(
            logs,
            filter.onlyTimeOfMutations(),
            filter,
            RawEvent.Detail.BODIES,
            EventCodec.Order.RECEIVED)) {
      var allowances = new ArrayList<>(system ? List.of() : CONTROL_PLANE);
      allowances.addAll(allowed);
      return among(chronology, allowances);
    }
  }

  /** Leases and Events do not count: they are written all the time, and most policies omit them. */
  private static boolean isUnjudged(AuditEvent event, JsonNode response, long latest) {
    var resource = event.object().resource();
    return (event.isUnanswered(latest) || (event.succeeded() && response.isMissingNode()))
        && !event.dryRun()
        && !resource.equals("leases")
        && !resource.equals("events");
  }

  static Result among(Chronology chronology, List<Allowance> allowances) throws IOException {
    var recreations = new Recreations();
    var fights = new FieldFights();
    var detectors =
        List.of(recreations, new VanishedReferences(), fights, new LostUpdates(), new NoOpWrites());
    var asked = 0L;
    var received = 0L;
    var withoutBody = 0L;
    var requests = chronology.requests();
    for (var request = requests.next(); request != null; request = requests.next()) {
      var event = request.event();
      if (event.mutates()) {
        var response = Json.tree(request.response());
        asked += event.asked() ? 1 : 0;
        received += event.asked() && event.stage() == Stage.RequestReceived ? 1 : 0;
        withoutBody += event.asked() && isUnjudged(event, response, chronology.latest) ? 1 : 0;
        detectors.forEach(detector -> detector.add(event, response));
      }
    }
    var races =
        detectors.stream()
            .flatMap(detector -> detector.races().stream())
            .filter(race -> allowances.stream().noneMatch(allowance -> allowance.covers(race)))
            .filter(race -> race.evidence().stream().anyMatch(AuditEvent::asked))
            .sorted(Comparator.comparing(Race::kind))
            .toList();
    // Some may not have ended yet, but not all.
    withoutBody = received == asked ? asked : withoutBody;
    var dropped = recreations.dropped + fights.dropped;
    return new Result(races, asked, withoutBody, recreations.unknown, dropped, chronology.report());
  }
}
