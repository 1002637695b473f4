package dev.shipshape.webhook.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API server's time, by which things expire; 1970, when nothing is too old, while it is not
 * known, or this machine's own clock says something quite different: one of the two is wrong, and
 * what has expired does not come back.
 */
final class AgreedTime implements InstantSource {
  private static final Logger logger = LoggerFactory.getLogger(AgreedTime.class);
  private static final Duration MOST_APART = Duration.ofDays(1);

  private final InstantSource apiServers;
  private final InstantSource machines;
  private final AtomicBoolean apart = new AtomicBoolean();

  /**
   * Asks nobody yet.
   *
   * @param apiServers 1970 while it is not known
   */
  AgreedTime(InstantSource apiServers, InstantSource machines) {
    this.apiServers = apiServers;
    this.machines = machines;
  }

  @Override
  public Instant instant() {
    return agreed(apiServers.instant());
  }

  /** The same of what one API server has said just now. */
  Instant agreed(Instant said) {
    if (said.equals(Instant.EPOCH)) {
      return said;
    }
    var own = machines.instant();
    if (Duration.between(said, own).abs().compareTo(MOST_APART) <= 0) {
      apart.set(false);
      return said;
    }
    if (!apart.getAndSet(true)) {
      logger.warn(
          "memory: the API server's clock says {} and this machine's {}: nothing expires while they"
              + " are more than {} h apart",
          said,
          own,
          MOST_APART.toHours());
    }
    return Instant.EPOCH;
  }
}
