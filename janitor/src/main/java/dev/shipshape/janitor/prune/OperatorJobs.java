package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.DeleteOptions;
import dev.shipshape.janitor.kubernetes.Departures;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.session.DeleteAnswer;
import dev.shipshape.janitor.session.Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The operator's Jobs as they were read, and by which signs one may go. The name of a Job in a
 * session proves nothing: users can write it. So the Job itself must tell that it is one.
 *
 * @param jobs the collection's path
 * @param after how long ago a Job must have finished
 * @param living the sessions to which it may still belong
 */
record OperatorJobs(KubernetesApi api, String jobs, Duration after, LivingSessions living)
    implements Deleter.Kind<JsonNode> {
  private static final Pattern NAME =
      Pattern.compile("cfs-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  @Override
  public DeleteAnswer delete(JsonNode seen) {
    var version = seen.at("/metadata/resourceVersion").asText();
    return DeleteAnswer.of(api.delete(path(seen), new DeleteOptions(uid(seen), version)));
  }

  @Override
  public Optional<JsonNode> reread(JsonNode seen) {
    return api.find(path(seen));
  }

  @Override
  public boolean isSame(JsonNode one, JsonNode other) {
    return uid(one).equals(uid(other));
  }

  @Override
  public boolean isLeaving(JsonNode job) {
    return leaving(job).isPresent();
  }

  @Override
  public Optional<Outcome> stays(JsonNode seen, JsonNode fresh) {
    return reasonToKeep(fresh, session(seen)).map(reason -> new Outcome.Failed("left: " + reason));
  }

  /**
   * Why a Job stays; empty where it may go.
   *
   * @param session whose it must be
   */
  Optional<String> reasonToKeep(JsonNode job, String session) {
    if (!isNamedAsOne(job)) {
      return Optional.of("its name is not cfs- and a UUID");
    }
    if (!label(job, "app.kubernetes.io/name").equals("cray-cfs-aee")) {
      return Optional.of("it lacks the label app.kubernetes.io/name: cray-cfs-aee");
    }
    if (!session(job).equals(session)) {
      return Optional.of("it is not labelled with the deleted session's name");
    }
    var holding = leaving(job);
    if (holding.isPresent()) {
      return Optional.of("it is being deleted already: " + holding.get());
    }
    var finished = finished(job);
    if (finished.isEmpty()) {
      return Optional.of("it has not finished");
    }
    if (finished.get().isAfter(living.now().minus(after))) {
      return Optional.of("it finished less than %s ago".formatted(after));
    }
    return living.with(name(job), session).map(found -> "session " + found + " lives");
  }

  /** How long ago it finished; nothing where it did not. */
  Duration age(JsonNode job) {
    return Duration.between(finished(job).orElse(living.now()), living.now());
  }

  private String path(JsonNode job) {
    return jobs + "/" + name(job);
  }

  /** Whether it is over with it, one way or the other. */
  static boolean isFinished(JsonNode job) {
    for (var condition : job.at("/status/conditions")) {
      if (isEnd(condition)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEnd(JsonNode condition) {
    var type = condition.path("type").asText();
    return (type.equals("Complete") || type.equals("Failed"))
        && condition.path("status").asText().equals("True");
  }

  private static Optional<Instant> finished(JsonNode job) {
    for (var condition : job.at("/status/conditions")) {
      if (isEnd(condition)) {
        try {
          return Optional.of(Times.parse(condition.path("lastTransitionTime").asText()));
        } catch (DateTimeException e) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  /** What holds it, where its deletion has begun: another request would change nothing. */
  static Optional<String> leaving(JsonNode job) {
    return job.path("metadata").has("deletionTimestamp")
        ? Optional.of(Departures.holding(job))
        : Optional.empty();
  }

  static boolean isNamedAsOne(JsonNode job) {
    return NAME.matcher(name(job)).matches();
  }

  static String name(JsonNode job) {
    return job.at("/metadata/name").asText();
  }

  static String uid(JsonNode job) {
    return job.at("/metadata/uid").asText();
  }

  /** The name of the session that it says it belongs to. */
  static String session(JsonNode job) {
    return label(job, Workloads.SESSION_LABEL);
  }

  private static String label(JsonNode job, String label) {
    return job.at("/metadata/labels").path(label).asText();
  }
}
