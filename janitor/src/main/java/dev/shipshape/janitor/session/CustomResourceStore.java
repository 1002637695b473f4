package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.kubernetes.Annotations;
import dev.shipshape.janitor.kubernetes.Pages;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.service.GuardedDelete;
import dev.shipshape.service.ServerClock;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.ResourceNotFoundException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sessions as {@code cfsessions.cms.cray.com}, where the state is in {@code spec.status}. */
public record CustomResourceStore(KubernetesClient client, String namespace)
    implements SessionStore {
  static final ResourceDefinitionContext RESOURCE =
      new ResourceDefinitionContext.Builder()
          .withGroup("cms.cray.com")
          .withVersion("v1")
          .withKind("ConfigFrameworkSession")
          .withPlural("cfsessions")
          .withNamespaced(true)
          .build();

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Override
  public SessionList list() {
    var sessions = client.genericKubernetesResources(RESOURCE).inNamespace(namespace);
    // Reads the first page, which may take long: after it, the clocks are compared.
    var pages = Pages.of(sessions::list);
    return new SessionList(this, ServerClock.read(client), pages.map(CustomResourceStore::read));
  }

  @Override
  public Optional<Session> get(Session session) {
    return found(session).map(CustomResourceStore::read);
  }

  @Override
  public Optional<JsonNode> document(Session session) {
    return found(session).map(MAPPER::valueToTree);
  }

  @Override
  public DeleteResult delete(Session session) {
    var path =
        "/apis/cms.cray.com/v1/namespaces/%s/cfsessions/%s".formatted(namespace, session.name());
    var uid = Objects.requireNonNull(session.uid(), "a custom resource has a uid");
    var version = Objects.requireNonNull(session.resourceVersion(), "and a resourceVersion");
    try {
      return new DeleteResult(
          GuardedDelete.send(client, path, uid, version)
              ? DeleteResult.Status.GONE
              : DeleteResult.Status.TERMINATING);
    } catch (KubernetesClientException e) {
      if (isGone(session, e)) {
        return new DeleteResult(DeleteResult.Status.ALREADY_GONE);
      }
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return new DeleteResult(statusAfterConflict(session));
      }
      throw e;
    }
  }

  /** The client repeats a request whose answer is lost, and the first one changes the session. */
  private DeleteResult.Status statusAfterConflict(Session session) {
    return get(session)
        .map(
            now ->
                session.isSameAs(now) && now.marks().contains(Mark.TERMINATING)
                    ? DeleteResult.Status.TERMINATING
                    : DeleteResult.Status.CHANGED)
        .orElse(DeleteResult.Status.ALREADY_GONE);
  }

  /** While its CRD is upgraded, the API server may not serve it: the answer is 404, too. */
  private static boolean isGone(Session session, KubernetesClientException e) {
    return e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
        && e.getStatus() != null
        && e.getStatus().getDetails() != null
        && session.name().equals(e.getStatus().getDetails().getName());
  }

  @Override
  public Map<Session, String> findRemaining(Collection<Session> sessions) {
    var remaining = new HashMap<Session, String>();
    for (var session : sessions) {
      found(session)
          .filter(found -> session.isSameAs(read(found)))
          .ifPresent(found -> remaining.put(session, "finalizers " + found.getFinalizers()));
    }
    return remaining;
  }

  private Optional<GenericKubernetesResource> found(Session session) {
    var sessions = client.genericKubernetesResources(RESOURCE).inNamespace(namespace);
    try {
      return Optional.of(sessions.withName(session.name()).require());
    } catch (ResourceNotFoundException e) {
      // The library throws this for any failure.
      if (!(e.getCause() instanceof KubernetesClientException answer)) {
        throw e;
      }
      if (isGone(session, answer)) {
        return Optional.empty();
      }
      throw answer;
    }
  }

  static Session read(GenericKubernetesResource resource) {
    JsonNode spec = MAPPER.valueToTree(resource.getAdditionalProperties().get("spec"));
    var metadata = resource.getMetadata();
    var state = new SessionState(spec == null ? MAPPER.nullNode() : spec.path("status"));
    var completed = state.time("completionTime");
    var times =
        new Times(
            state.parse(metadata.getCreationTimestamp()),
            state.time("startTime"),
            completed,
            completed == null ? lastWritten(resource, state) : null);
    var keep = metadata.getAnnotations().get("shipshape.dev/keep");
    state.mark(Mark.KEEP, Annotations.isSet(keep));
    state.mark(Mark.TERMINATING, metadata.getDeletionTimestamp() != null);
    return new Session(
        metadata.getNamespace(),
        metadata.getName(),
        metadata.getUid(),
        metadata.getResourceVersion(),
        state.state(),
        times,
        state.job(),
        state.marks());
  }

  private static @Nullable Instant lastWritten(
      GenericKubernetesResource resource, SessionState state) {
    return resource.getMetadata().getManagedFields().stream()
        .flatMap(writer -> Optional.ofNullable(state.parse(writer.getTime())).stream())
        .max(Instant::compareTo)
        .orElse(null);
  }
}
