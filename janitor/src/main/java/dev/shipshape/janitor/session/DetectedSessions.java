package dev.shipshape.janitor.session;

import dev.shipshape.janitor.kubernetes.Answer;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.kubernetes.Patience;
import dev.shipshape.janitor.pace.StopSignal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions wherever they are: looked for before each list, since an upgrade of CFS moves them.
 * Custom resources come first, then the service's version 3, then 2; in neither, nothing is done.
 */
public final class DetectedSessions implements Sessions {
  private static final Logger logger = LoggerFactory.getLogger(DetectedSessions.class);

  /** Of the service's framework (werkzeug), where a path has no route. */
  private static final String NO_ROUTE = "The requested URL was not found on the server";

  private final KubernetesApi api;
  private final RestService service;
  private final Source wanted;
  private final String namespace;
  private final StopSignal stop;
  private @Nullable Source found;
  private volatile @Nullable Sessions current;

  /** What the service had beside custom resources when it last had something. */
  private volatile Optional<Source> beside = Optional.empty();

  /**
   * @param wanted a source other than what is found is refused
   */
  public DetectedSessions(
      KubernetesApi api, RestService service, Source wanted, String namespace, StopSignal stop) {
    this.api = api;
    this.service = service;
    this.wanted = wanted;
    this.namespace = namespace;
    this.stop = stop;
  }

  @Override
  public void list(Listener listener) {
    // Not within the lock, which others need meanwhile.
    new Patience(stop).with(this::detect).list(listener);
  }

  /**
   * Where custom resources are found, the service is asked too: an older CFS may have left them
   * behind. Where it does not answer, its sessions are unknown, unless the settings say that they
   * are custom resources.
   */
  @Override
  public void listLiving(Listener listener) {
    var sessions = detect();
    sessions.list(listener);
    if (sessions instanceof CustomResourceSessions) {
      lookBeside().ifPresent(source -> open(source).list(new Besides(listener)));
    }
  }

  private Optional<Source> lookBeside() {
    final Optional<Source> now;
    try {
      now = look(DetectedSessions::hasNoRoute);
      if (now.isEmpty() && beside.isPresent()) {
        throw ApiFailure.unsuitable("it answers 404 to v3 and v2, but has answered before");
      }
    } catch (ApiFailure e) {
      if (beside.isEmpty() && wanted == Source.CUSTOM_RESOURCES) {
        return Optional.empty();
      }
      throw ApiFailure.unsuitable(
          "sessions were found as custom-resources, and whether the CFS service has some too is"
              + " unknown (where it has none, say sessions.source: custom-resources): "
              + e.getMessage());
    }
    if (now.isPresent() && !now.equals(beside)) {
      logger.warn(
          "sessions: found as custom-resources, but the CFS service answers too, as {}: its"
              + " sessions count as living, and none of them is pruned; where an older CFS has left"
              + " the custom resources behind, delete them",
          written(now.get()));
    }
    beside = now;
    return now;
  }

  /** Sessions of another world than the one that was listed first, whose clock counts. */
  private record Besides(Listener listener) implements Listener {
    @Override
    public void begin(Instant server) {}

    @Override
    public void each(Session session) {
      listener.each(session);
    }
  }

  /**
   * Whether a CFS service itself says so, such as an older one; a gateway that has lost its way to
   * the service says 404 as well. A name that cannot be resolved proves nothing either: the
   * resolver may be dead.
   */
  private static boolean hasNoRoute(Answer answer) {
    return answer.code() == 404 && answer.message().startsWith(NO_ROUTE);
  }

  @Override
  public Optional<Session> reread(Session session) {
    return current().reread(session);
  }

  @Override
  public DeleteAnswer delete(Session session) {
    return current().delete(session);
  }

  @Override
  public Map<Session, String> awaitGone(Collection<Session> sessions, Duration deadline) {
    return current().awaitGone(sessions, deadline);
  }

  @Override
  public Map<Session, String> awaitGone(
      Collection<Session> sessions, Duration deadline, Consumer<Session> gone) {
    return current().awaitGone(sessions, deadline, gone);
  }

  private Sessions current() {
    var sessions = current;
    return sessions == null ? detect() : sessions;
  }

  private synchronized Sessions detect() {
    var source = look();
    if (wanted != Source.AUTO && wanted != source) {
      throw ApiFailure.unsuitable(
          "sessions.source says %s, but %s was found: correct it or leave it out%s"
              .formatted(written(wanted), written(source), isWantedByRest() ? wayOut() : ""));
    }
    var sessions = current;
    if (sessions == null || source != found) {
      logger.info("sessions: found as {}", written(source));
      sessions = open(source);
      found = source;
      current = sessions;
    }
    return sessions;
  }

  private String wayOut() {
    return ("; or, where an older CFS has left them behind, delete those that kubectl --namespace"
            + " %s get cfsessions.cms.cray.com shows")
        .formatted(namespace);
  }

  private Source look() {
    if (hasCustomResources() && !(isWantedByRest() && hasNone())) {
      return Source.CUSTOM_RESOURCES;
    }
    return look(answer -> answer.code() == 404)
        .orElseThrow(
            () ->
                ApiFailure.unsuitable(
                    "no sessions were found: no custom resource cfsessions.cms.cray.com, and the"
                        + " CFS service (sessions.rest.address) answers 404 to v3 and v2"));
  }

  /**
   * The service's newest version; empty where it has neither.
   *
   * @param isAbsent whether an answer says that a version is not there
   */
  private Optional<Source> look(Predicate<Answer> isAbsent) {
    var v3 = service.get("/v3/sessions?limit=1");
    if (v3.isSuccessful()) {
      return Optional.of(Source.REST_V3);
    }
    // Whatever else is wrong may pass; version 2 would then be the wrong one.
    if (!isAbsent.test(v3)) {
      v3.requireSuccess("GET /v3/sessions");
    }
    var v2 = service.get("/v2/sessions");
    // 400 is how version 2 says that there are too many for one answer.
    if (v2.isSuccessful() || v2.code() == 400) {
      return Optional.of(Source.REST_V2);
    }
    if (!isAbsent.test(v2)) {
      v2.requireSuccess("GET /v2/sessions");
    }
    return Optional.empty();
  }

  /** Whoever says so need not remove the definition that an older CFS has left behind. */
  private boolean isWantedByRest() {
    return wanted == Source.REST_V3 || wanted == Source.REST_V2;
  }

  private boolean hasNone() {
    var one = CustomResourceSessions.path(namespace) + "?limit=1";
    return api.get(one).requireSuccess("GET " + one).body().path("items").isEmpty();
  }

  private boolean hasCustomResources() {
    var group = "/apis/cms.cray.com/v1";
    var answer = api.get(group);
    if (answer.code() == 404) {
      return false;
    }
    return names(answer.requireSuccess("GET " + group)).contains("\"cfsessions\"");
  }

  private static String names(Answer answer) {
    return answer.body().path("resources").findValues("name").toString();
  }

  private Sessions open(Source source) {
    return switch (source) {
      case CUSTOM_RESOURCES -> new CustomResourceSessions(api, namespace, stop);
      case REST_V3 -> new RestSessions(service, RestVersion.V3, namespace, stop);
      case REST_V2 -> new RestSessions(service, RestVersion.V2, namespace, stop);
      case AUTO -> throw new IllegalStateException("a source that is found is never " + source);
    };
  }

  private static String written(Source source) {
    return source.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
