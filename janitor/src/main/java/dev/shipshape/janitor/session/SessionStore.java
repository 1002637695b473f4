package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

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

  /**
   * Returns the sessions that still exist after their deletion was accepted, each with the reason.
   */
  Map<Session, String> findRemaining(Collection<Session> sessions);
}
