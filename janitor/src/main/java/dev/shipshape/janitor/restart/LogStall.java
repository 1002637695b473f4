package dev.shipshape.janitor.restart;

import dev.shipshape.service.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operator logs nothing. One with nothing to do is silent too: so silence counts only while a
 * session waits.
 *
 * @param isArmed whether silence may have the operator restarted
 * @param after how long without a line, while a session waits that long
 */
record LogStall(boolean isArmed, Duration after, WaitingSessions sessions) {
  /**
   * Since when it has logged nothing, in one line. Empty if it is not silent, or if that cannot be
   * told, which is no evidence of anything.
   */
  Optional<String> evaluate(List<InstanceHealth> instances, Instant now) {
    var lastSign = lastSign(instances);
    if (lastSign == null || lastSign.isAfter(now.minus(after))) {
      return Optional.empty();
    }
    return sessions
        .recent()
        .filter(waiting -> waiting.longest().compareTo(after) >= 0)
        .map(
            waiting ->
                "no line since %s, while %d sessions wait, one for %s"
                    .formatted(lastSign, waiting.count(), Durations.format(waiting.longest())));
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
