package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A store of sessions: custom resources or the REST service. Every call throws a {@link
 * io.fabric8.kubernetes.client.KubernetesClientException} if it gets no answer or an unexpected
 * one.
 */
public interface SessionStore {

  /** Lists every session, page by page. */
  SessionList list();

  /** Reads the session of this name, which may be another one by now; empty if there is none. */
  Optional<Session> get(Session session);

  /** Reads the whole stored document of a session; empty if it does not exist. */
  Optional<JsonNode> document(Session session);

  /**
   * Deletes a session only if it is unchanged.
   *
   * @return {@code GONE}, {@code TERMINATING} if it may still exist, {@code ALREADY_GONE}, or
   *     {@code CHANGED} if it was not deleted because it has changed
   */
  DeleteResult delete(Session session);

  /** Returns those of the sessions that still exist. */
  default Set<Session> findRemaining(Collection<Session> sessions) {
    return sessions.stream()
        .filter(session -> get(session).filter(session::isSameAs).isPresent())
        .collect(Collectors.toSet());
  }

  /** Returns in a few words why a session still exists after its deletion was accepted. */
  String remainingReason(Session session);
}
