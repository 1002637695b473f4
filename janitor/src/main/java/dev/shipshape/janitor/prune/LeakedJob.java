package dev.shipshape.janitor.prune;

import java.time.Duration;

/**
 * A Job that outlived its session.
 *
 * @param session the name of the session that was its own
 * @param age since it finished, by the server's clock
 */
record LeakedJob(String namespace, String name, String uid, String session, Duration age)
    implements PendingDeletion.Target {
  @Override
  public String object() {
    return "job %s/%s".formatted(namespace, name);
  }
}
