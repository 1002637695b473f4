package dev.shipshape.webhook.admission;

import java.util.Map;

/**
 * The decision about one write.
 *
 * @param message the reason if the write is rejected; otherwise a warning for the client, or empty
 * @param patch RFC 6902 operations, JSON; empty if there are none
 * @param audit annotations for the API server's audit log, which adds the webhook's name to each
 *     key
 */
public record Decision(Reason reason, String message, String patch, Map<String, String> audit) {
  public static final String CONFIG_HASH = "config-hash";

  public Decision {
    audit = Map.copyOf(audit);
  }

  public static Decision of(Reason reason) {
    return of(reason, "");
  }

  public static Decision of(Reason reason, String message) {
    return new Decision(reason, message, "", Map.of());
  }
}
