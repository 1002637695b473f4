package dev.shipshape.janitor.prune;

import java.time.Duration;

/**
 * A Job that outlived its session.
 *
 * @param session the name of the session that was its own
 * @param age since it finished, by the server's clock
 */
public record LeakedJob(String namespace, String name, String uid, String session, Duration age) {

  /** How records name it. */
  String reference() {
    return "job %s/%s".formatted(namespace, name);
  }
}
