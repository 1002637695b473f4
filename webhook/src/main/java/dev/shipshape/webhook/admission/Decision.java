package dev.shipshape.webhook.admission;

import java.util.Map;

/**
 * What is to become of one write.
 *
 * @param message why not, where the reason rejects; otherwise a warning for whoever writes; empty
 *     for none
 * @param patch RFC 6902 operations in JSON; empty for none
 * @param audit for the API server's audit log, which puts the webhook's name before each key
 */
public record Decision(Reason reason, String message, String patch, Map<String, String> audit) {
  /** The key of the configuration's hash in {@code audit}. */
  public static final String CONFIG_HASH = "config-hash";

  public Decision {
    audit = Map.copyOf(audit);
  }

  /** With nothing to tell. */
  public static Decision of(Reason reason) {
    return of(reason, "");
  }

  /** With a message. */
  public static Decision of(Reason reason, String message) {
    return new Decision(reason, message, "", Map.of());
  }

  /** The write goes on with changes. */
  public static Decision patched(String patch) {
    return new Decision(Reason.ANNOTATED, "", patch, Map.of());
  }
}
