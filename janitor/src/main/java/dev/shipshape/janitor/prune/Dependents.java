package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** What belongs to sessions and must go after them: their Jobs and pods. */
interface Dependents {

  /** Where only the sessions themselves are waited for. */
  Dependents NONE =
      new Dependents() {
        @Override
        public void note(Collection<Session> sessions) {}

        @Override
        public Map<Session, String> awaitGone(
            String run, Collection<Session> gone, Duration deadline) {
          return Map.of();
        }
      };

  /**
   * Notes by uid what belongs to sessions that are about to be deleted: afterwards the same names
   * may belong to others.
   *
   * @throws dev.shipshape.janitor.kubernetes.ApiFailure where it cannot be listed
   */
  void note(Collection<Session> sessions);

  /**
   * Waits until what belonged to sessions that are gone is gone too.
   *
   * @return the sessions of which something is still there, each with what it is; or with why that
   *     is not known
   */
  Map<Session, String> awaitGone(String run, Collection<Session> gone, Duration deadline);

  /** Ends the wait or the sweep that is under way, if there is one. */
  default void giveUp() {}

  /**
   * Removes what sessions that went earlier have left behind.
   *
   * @param armed false to report only
   * @param most how many at once
   * @param patience how long to wait at most for what something holds
   */
  default void sweep(String run, boolean armed, int most, Duration patience) {}

  /**
   * What became of a Job whose removal had begun; empty where it is there, and nobody deletes it.
   *
   * @throws dev.shipshape.janitor.kubernetes.ApiFailure where it cannot be read
   */
  default Optional<Outcome> fate(LeakedJob job) {
    return Optional.of(new Outcome.FoundGone());
  }
}
