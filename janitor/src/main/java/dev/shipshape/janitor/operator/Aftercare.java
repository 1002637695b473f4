package dev.shipshape.janitor.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once what became of a restart: of one that is still open when the janitor itself starts,
 * too.
 */
final class Aftercare {
  private static final Logger logger = LoggerFactory.getLogger(Aftercare.class);

  private final String reference;
  private final Duration window;
  private volatile boolean following = true;

  /**
   * @param reference how logs name the Deployment
   * @param window how long a log must be silent of failures for the symptom to be gone
   */
  Aftercare(String reference, Duration window) {
    this.reference = reference;
    this.window = window;
  }

  /** There is a new restart. */
  void begin() {
    following = true;
  }

  Optional<Aftermath> look(Standing standing, Findings.Symptom symptom, Instant now) {
    var rollout = standing.rollout();
    if (!following || rollout == null) {
      return Optional.empty();
    }
    following = FollowUp.isDue(rollout, now);
    var aftermath =
        following ? FollowUp.of(rollout, symptom, window, now) : Optional.<Aftermath>empty();
    aftermath.ifPresent(this::tell);
    return aftermath;
  }

  private void tell(Aftermath aftermath) {
    following = false;
    if (aftermath == Aftermath.CURED) {
      logger.info("operator: {}: the restart is complete and helped", reference);
    } else {
      logger.error("operator: {}: the restart came to {}", reference, aftermath);
    }
  }
}
