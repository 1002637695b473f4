package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where sessions are kept: custom resources or the REST service. Every call throws a {@link
 * io.fabric8.kubernetes.client.KubernetesClientException} where it gets no answer, or not the one
 * that is needed.
 */
public interface SessionStore {

  /** Lists every session, page by page. */
  SessionList list();

  /**
   * Reads the session of a name again, which may be another one by now.
   *
   * @return empty where there is none
   */
  Optional<Session> get(Session session);

  /**
   * Reads all that there is to a session, as it is kept.
   *
   * @return empty where there is none
   */
  Optional<JsonNode> document(Session session);

  /**
   * Deletes a session, only if it still is as it was seen.
   *
   * @return {@code GONE}, {@code TERMINATING} where it is to be seen whether it is gone, {@code
   *     ALREADY_GONE}, or {@code CHANGED} where it is not as it was seen and so was not deleted
   */
  DeleteResult delete(Session session);

  /** Of these sessions, those that are still there; each is asked for by its name. */
  default Set<Session> stillThere(Collection<Session> asked) {
    return asked.stream()
        .filter(session -> get(session).filter(session::isSameAs).isPresent())
        .collect(Collectors.toSet());
  }

  /** What holds a session whose deletion was accepted, in a few words. */
  String holding(Session session);
}
