package dev.shipshape.webhook.guard;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * By what an object's own status says what became of its configuration.
 *
 * @param invalidWhen null where it never says so
 * @param provisionedWhen null where it never says so
 * @param progress null where it does not say since when it is on its way
 */
public record StatusSigns(
    @Nullable Condition invalidWhen,
    @Nullable Condition provisionedWhen,
    @Nullable Progress progress) {
  static final StatusSigns NONE = new StatusSigns(null, null, null);

  Standing standingOf(JsonNode object) {
    if (invalidWhen != null && invalidWhen.holds(object)) {
      return Standing.INVALID;
    }
    return provisionedWhen != null && provisionedWhen.holds(object)
        ? Standing.PROVISIONED
        : Standing.UNDECIDED;
  }
}
