package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.Answer;
import dev.shipshape.janitor.kubernetes.DeleteOptions;
import dev.shipshape.janitor.kubernetes.Departures;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.kubernetes.ListPages;
import dev.shipshape.janitor.pace.StopSignal;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Sessions as {@code cfsessions.cms.cray.com}. */
public final class CustomResourceSessions implements Sessions {
  private final KubernetesApi api;
  private final String collection;
  private final StopSignal stop;

  public CustomResourceSessions(KubernetesApi api, String namespace, StopSignal stop) {
    this.api = api;
    this.stop = stop;
    this.collection = path(namespace);
  }

  /** Where the API server has them. */
  static String path(String namespace) {
    return "/apis/cms.cray.com/v1/namespaces/" + namespace + "/cfsessions";
  }

  @Override
  public void list(Listener listener) {
    new ListPages(api, stop)
        .read(
            collection,
            ListPages.FULL,
            new ListPages.Reader() {
              @Override
              public void begin(Answer head) {
                listener.begin(head.requireDate("the API server"));
              }

              @Override
              public void each(JsonNode resource) {
                listener.each(CustomResource.read(resource));
              }
            });
  }

  @Override
  public Optional<Session> reread(Session session) {
    return api.find(path(session)).map(CustomResource::read);
  }

  @Override
  public DeleteAnswer delete(Session session) {
    var options =
        new DeleteOptions(
            Objects.requireNonNull(session.uid(), "a custom resource has a uid"),
            Objects.requireNonNull(session.resourceVersion(), "and a resourceVersion"));
    return DeleteAnswer.of(api.delete(path(session), options));
  }

  @Override
  public Map<Session, String> awaitGone(Collection<Session> sessions, Duration deadline) {
    return awaitGone(sessions, deadline, _ -> {});
  }

  @Override
  public Map<Session, String> awaitGone(
      Collection<Session> sessions, Duration deadline, Consumer<Session> gone) {
    var byUid = new LinkedHashMap<String, Session>();
    sessions.forEach(session -> byUid.put(String.valueOf(session.uid()), session));
    var remaining = new LinkedHashMap<Session, String>();
    new Departures(api, collection, stop)
        .await(byUid.keySet(), deadline, uid -> gone.accept(Objects.requireNonNull(byUid.get(uid))))
        .forEach((uid, holding) -> remaining.put(Objects.requireNonNull(byUid.get(uid)), holding));
    return remaining;
  }

  private String path(Session session) {
    return collection + "/" + session.name();
  }
}
