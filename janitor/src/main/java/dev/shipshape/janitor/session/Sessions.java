package dev.shipshape.janitor.session;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Where sessions are kept: the same door to custom resources and to the REST service. */
public interface Sessions {

  /** Takes a list's sessions as they arrive. */
  interface Listener {
    /**
     * Called once, before any session.
     *
     * @param server the server's clock, to the second
     */
    void begin(Instant server);

    void each(Session session);
  }

  /**
   * Lists every session, page by page.
   *
   * @throws ApiFailure where the list could not be read to its end; what was seen of it is void
   *     then. With code 410 it is worth beginning again at once.
   */
  void list(Listener listener);

  /**
   * As {@link #list}, and besides every session that lives elsewhere, where CFS may keep some too:
   * what belongs to none of all these belongs to nobody.
   */
  default void listLiving(Listener listener) {
    list(listener);
  }

  /**
   * Reads one session again.
   *
   * @return empty where there is no session of that name any more
   * @throws ApiFailure where it could not be read
   */
  Optional<Session> reread(Session session);

  /**
   * Deletes one session, only if it still is as it was seen. Sends one request that deletes, at
   * most; nothing is retried.
   *
   * @throws ApiFailure where no answer came to that: the session may be gone or not
   */
  DeleteAnswer delete(Session session);

  /**
   * Waits until sessions whose deletion was accepted are gone.
   *
   * @return those that are still there at the deadline or when told to stop, each with what holds
   *     it; or with why that is not known
   */
  Map<Session, String> awaitGone(Collection<Session> sessions, Duration deadline);

  /**
   * As {@link #awaitGone(Collection, Duration)}.
   *
   * @param gone told of each as soon as it is seen to be gone; where nothing holds a session that
   *     was deleted, that may be at the end
   */
  default Map<Session, String> awaitGone(
      Collection<Session> sessions, Duration deadline, Consumer<Session> gone) {
    var remaining = awaitGone(sessions, deadline);
    sessions.stream().filter(session -> !remaining.containsKey(session)).forEach(gone);
    return remaining;
  }
}
