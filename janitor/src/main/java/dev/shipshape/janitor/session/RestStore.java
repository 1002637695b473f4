package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.Annotations;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.RestService.Response;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.service.ServerClock;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of the CFS service. The service has neither uids nor preconditions: a session is
 * identified by name, start time and Job, and is read again directly before its deletion. Filters
 * and the bulk deletion are never used: the service treats an age that it cannot parse as zero.
 *
 * @param namespace of the sessions' Jobs
 */
public record RestStore(
    KubernetesClient client, RestService service, RestVersion version, String namespace)
    implements SessionStore {
  private static final int PAGE_SIZE = 100;

  /** Up to this number, single reads are cheaper than a list. */
  private static final int MAX_SINGLE_READS = 10;

  /** Source: {@code get_session_v3} of the service, {@code title="Session not found."}. */
  private static final String NO_SESSION = "Session not found";

  /** Version 3 sorts by name, so that concurrent deletions do not shift the pages. */
  @Override
  public SessionList list() {
    var first = page(version == RestVersion.V2 ? "" : "?limit=" + PAGE_SIZE);
    var pages =
        Stream.<@Nullable Response>iterate(
            first, Objects::nonNull, page -> next(Objects.requireNonNull(page)));
    // The service itself sends no Date header; a mesh in front of it adds one.
    var time =
        first.date() == null
            ? ServerClock.read(client)
            : ServerClock.parse(first.date(), "the CFS service");
    return new SessionList(
        this, time, pages.flatMap(page -> sessions(Objects.requireNonNull(page))));
  }

  @Override
  public Optional<Session> get(Session session) {
    return document(session).map(this::read);
  }

  @Override
  public Optional<JsonNode> document(Session session) {
    var response = service.call("GET", path(session));
    if (isSessionNotFound(response)) {
      return Optional.empty();
    }
    var document = response.requireSuccess().body();
    if (!session.name().equals(SessionState.text(document, "name"))) {
      throw version.unexpected("the session " + session.name());
    }
    return Optional.of(document);
  }

  @Override
  public DeleteResult delete(Session session) {
    var now = get(session);
    if (now.isEmpty()) {
      return new DeleteResult(Status.ALREADY_GONE);
    }
    // Any difference counts, also of tags: the next run judges the session again.
    if (!now.get().equals(session)) {
      return new DeleteResult(Status.CHANGED);
    }
    var response = service.call("DELETE", path(session));
    if (isSessionNotFound(response)) {
      return new DeleteResult(Status.ALREADY_GONE);
    }
    response.requireSuccess();
    return new DeleteResult(Status.TERMINATING);
  }

  /** Lists once for many sessions. The answer to a deletion does not prove that it is gone. */
  @Override
  public Map<Session, String> findRemaining(Collection<Session> sessions) {
    var byName = sessions.stream().collect(Collectors.toMap(Session::name, Function.identity()));
    var found =
        sessions.size() <= MAX_SINGLE_READS
            ? sessions.stream().flatMap(each -> get(each).stream())
            : list().sessions();
    return found
        .flatMap(each -> Stream.ofNullable(byName.get(each.name())).filter(each::isSameAs))
        .collect(
            Collectors.toMap(Function.identity(), _ -> "the service still lists it", (a, _) -> a));
  }

  /**
   * A gateway also answers 404 if the service is unreachable. Only CFS's own title proves that the
   * session is gone.
   */
  private static boolean isSessionNotFound(Response response) {
    return response.code() == HttpURLConnection.HTTP_NOT_FOUND
        && response.body().path("title").asText().startsWith(NO_SESSION);
  }

  private Response page(String query) {
    return service.call("GET", "/" + version.path + "/sessions" + query).requireSuccess();
  }

  private @Nullable Response next(Response page) {
    if (version == RestVersion.V2 || !page.body().hasNonNull("next")) {
      return null;
    }
    var afterId = afterId(page);
    if (afterId.isEmpty() || version.items(page.body()).isEmpty()) {
      throw version.unexpected("a page with sessions and next.after_id");
    }
    var following = page("?limit=" + PAGE_SIZE + "&after_id=" + encode(afterId));
    // If a gateway drops the query, the first page would be read for ever.
    var then = afterId(following);
    if (!then.isEmpty() && then.compareTo(afterId) <= 0) {
      throw version.unexpected(
          "a page after " + afterId + ", which a proxy that drops the query prevents");
    }
    return following;
  }

  private static String afterId(Response page) {
    return page.body().path("next").path("after_id").asText("");
  }

  private Stream<Session> sessions(Response page) {
    return StreamSupport.stream(version.items(page.body()).spliterator(), false).map(this::read);
  }

  private Session read(JsonNode node) {
    var name = SessionState.text(node, "name");
    if (name == null) {
      throw version.unexpected("a session that has a name");
    }
    var state = new SessionState(node.path("status"));
    var times =
        new Times(null, state.time(version.startTime), state.time(version.completionTime), null);
    var tags = node.path("tags");
    state.mark(Mark.KEEP, node.hasNonNull("tags") && !tags.isObject());
    var keep = tags.path("shipshape.dev/keep");
    state.mark(Mark.KEEP, Annotations.isSet(keep.isMissingNode() ? null : keep.asText()));
    return new Session(
        namespace, name, null, null, state.state(), times, state.job(), state.marks());
  }

  private String path(Session session) {
    return "/" + version.path + "/sessions/" + encode(session.name());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
