package dev.shipshape.janitor.restart;

import dev.shipshape.service.Durations;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator logs nothing. One with nothing to do is silent too: so silence counts only while a
 * session waits.
 *
 * @param isArmed whether silence may have the operator restarted
 * @param after how long without a line, while a session waits that long
 */
record LogStall(boolean isArmed, Duration after, WaitingSessions sessions) {
  private static final Logger logger = LoggerFactory.getLogger(LogStall.class);

  /**
   * Since when it has logged nothing, in one line. Empty if it is not silent, or if that cannot be
   * told, which is no evidence of anything.
   */
  Optional<String> evaluate(List<InstanceHealth> instances, Instant now) {
    var lastSign = lastSign(instances);
    if (lastSign == null || lastSign.isAfter(now.minus(after))) {
      return Optional.empty();
    }
    try {
      var waiting = sessions.noOlderThan(WaitingSessions.FRESH);
      return waiting.isAtLeast(after)
          ? Optional.of(
              "no line since %s, while %d sessions wait, one for %s"
                  .formatted(lastSign, waiting.count(), Durations.words(waiting.longest())))
          : Optional.empty();
    } catch (KubernetesClientException e) {
      logger.warn("operator: whether it is silent is unknown: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** One instance that speaks is enough; one that cannot be heard may be speaking. */
  private static @Nullable Instant lastSign(List<InstanceHealth> instances) {
    Instant last = null;
    for (var instance : instances) {
      var sign = instance.lastSign();
      if (sign == null) {
        return null;
      }
      last = last == null || sign.isAfter(last) ? sign : last;
    }
    return last;
  }
}
