package dev.shipshape.webhook.timeout;

import dev.shipshape.webhook.identity.ConfigHash;
import java.time.Duration;
import java.time.Instant;

/** A configuration that took too long on its node. */
public record TimedOut(Attempt attempt, Duration limit) {
  /** The object's key: its name, after its namespace where it has one. */
  public String object() {
    return attempt.key();
  }

  /** The node that it took too long on. */
  public String node() {
    return attempt.node();
  }

  /** The configuration's identity. */
  public ConfigHash hash() {
    return attempt.hash();
  }

  /** Since when it is on its way. */
  public Instant since() {
    return attempt.since();
  }

  /** Whether the object has another configuration by now. */
  public boolean isReplaced() {
    return attempt.replaced() != null;
  }

  /** Whether it holds secrets, which are in no hash. */
  public boolean holdsSecrets() {
    return attempt.holdsSecrets();
  }

  /** In words that read after the object. */
  public String reason() {
    return "%s on %s since %s, longer than %d s"
        .formatted(
            attempt.begun() ? "has been provisioning" : "has had no status",
            node(),
            since(),
            limit.toSeconds());
  }
}
