package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.operator.Findings.Symptom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once what became of each restart, and, for hours after it, whether something took it back.
 * It goes by the newest restart that the cluster remembers: so it follows one that an earlier
 * janitor made, and one whose answer was lost.
 */
final class Aftercare {
  private static final Logger logger = LoggerFactory.getLogger(Aftercare.class);

  private final String reference;
  private final Duration window;
  private final Duration longestGap;
  private @Nullable Instant lastLook;
  private @Nullable Instant open;
  private @Nullable Instant ended;
  private @Nullable Instant reverted;

  /**
   * @param reference how logs name the Deployment
   * @param window how long a log must be silent of failures for the symptom to be gone
   * @param longestGap between two looks; after a longer one another replica may have told
   */
  Aftercare(String reference, Duration window, Duration longestGap) {
    this.reference = reference;
    this.window = window;
    this.longestGap = longestGap;
  }

  synchronized Optional<Aftermath> look(Standing standing, Symptom symptom, Instant now) {
    if (lastLook != null && now.isAfter(lastLook.plus(longestGap))) {
      open = null;
      ended = null;
    }
    lastLook = now;
    var rollout = standing.rollout();
    if (rollout == null) {
      return Optional.empty();
    }
    var newest = FollowUp.newest(rollout).orElse(null);
    if (newest == null) {
      return Optional.empty();
    }
    if (rollout.judged().startsWith(newest + " ")) {
      ended = newest;
      reverted = rollout.judged().endsWith(" reverted") ? newest : reverted;
    }
    var aftermath = look(rollout, newest, symptom, now);
    aftermath.ifPresent(this::tell);
    return aftermath;
  }

  private Optional<Aftermath> look(Rollout rollout, Instant restart, Symptom symptom, Instant now) {
    var isOpen = FollowUp.isOpen(restart, now);
    if (FollowUp.isReverted(rollout, restart)) {
      // What was taken back before this janitor's time, its predecessor has told.
      var isNews = isOpen || restart.equals(open) || restart.equals(ended);
      var isTold = restart.equals(reverted);
      ended = restart;
      reverted = restart;
      return !isTold && isNews && FollowUp.isWatched(restart, now)
          ? Optional.of(Aftermath.REVERTED)
          : Optional.empty();
    }
    if (restart.equals(ended)) {
      return Optional.empty();
    }
    if (!isOpen) {
      var wasOpen = restart.equals(open);
      ended = restart;
      return wasOpen && FollowUp.isOurs(rollout, restart)
          ? Optional.of(Aftermath.UNCLEAR)
          : Optional.empty();
    }
    open = restart;
    var aftermath =
        FollowUp.isOurs(rollout, restart)
            ? FollowUp.ended(rollout, symptom, restart, window, now)
            : Optional.<Aftermath>empty();
    if (aftermath.isPresent()) {
      ended = restart;
    }
    return aftermath;
  }

  private void tell(Aftermath aftermath) {
    if (aftermath == Aftermath.CURED) {
      logger.info("operator: {}: the restart is complete and helped", reference);
    } else {
      logger.error("operator: {}: the restart came to {}", reference, aftermath);
    }
  }
}
