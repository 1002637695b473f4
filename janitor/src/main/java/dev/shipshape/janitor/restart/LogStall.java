package dev.shipshape.janitor.restart;

import dev.shipshape.service.Durations;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operator logs nothing. One with nothing to do is silent too: so silence counts only while a
 * session waits.
 *
 * @param isArmed whether silence may have the operator restarted
 * @param after how long without a line, while a session waits that long
 */
record LogStall(boolean isArmed, Duration after, WaitingSessions sessions) {

  SignalState evaluate(List<InstanceHealth> instances, Instant now) {
    var lastSign = lastSign(instances);
    if (lastSign == null) {
      return new SignalState.Unknown("its log could not be read");
    }
    if (lastSign.isAfter(now.minus(after))) {
      return new SignalState.Absent();
    }
    try {
      var waiting = sessions.noOlderThan(WaitingSessions.FRESH);
      return waiting.isAtLeast(after)
          ? new SignalState.Present(
              "no line since %s, while %d sessions wait, one for %s"
                  .formatted(lastSign, waiting.count(), Durations.words(waiting.longest())))
          : new SignalState.Absent();
    } catch (KubernetesClientException e) {
      return new SignalState.Unknown(String.valueOf(e.getMessage()));
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
