package dev.shipshape.webhook.guard;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/**
 * Where an object's own status says how far its configuration is on its way to its node.
 *
 * @param status the field that says it
 * @param provisioning what it says while the configuration is being rolled out
 * @param lastUpdate the field with the time at which it was last said, RFC 3339
 */
public record Progress(List<String> status, String provisioning, List<String> lastUpdate) {
  public Progress {
    status = List.copyOf(status);
    lastUpdate = List.copyOf(lastUpdate);
  }

  /** How far it is. */
  public sealed interface Stage {
    /** It is being rolled out, as was last said at this time. */
    record Provisioning(Instant lastUpdate) implements Stage {}

    /** Nothing is said yet. */
    record NoStatus() implements Stage {}

    /** Anything else is said, or the time is zero: from that nothing ever follows. */
    record Other() implements Stage {}
  }

  /** What this object says. */
  public Stage of(JsonNode object) {
    var said = text(object, status);
    if (said.isEmpty()) {
      return new Stage.NoStatus();
    }
    var at = time(text(object, lastUpdate));
    return said.equals(provisioning) && at.isAfter(Instant.EPOCH)
        ? new Stage.Provisioning(at)
        : new Stage.Other();
  }

  private static String text(JsonNode object, List<String> field) {
    var at = Condition.at(object, field);
    return at.isNull() ? "" : at.asText();
  }

  /** Go's zero time, of the year 1, is zero here too. */
  private static Instant time(String text) {
    try {
      return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
    } catch (DateTimeException e) {
      return Instant.EPOCH;
    }
  }
}
