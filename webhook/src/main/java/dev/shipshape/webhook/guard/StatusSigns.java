package dev.shipshape.webhook.guard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
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
  /**
   * Whether the field that decides says "invalid", even where others show that this is about what
   * the object had before.
   */
  public boolean beginsInvalid(JsonNode object) {
    return invalidWhen != null && invalidWhen.begins(object);
  }

  /** The fields that say what the object's standing is, the one that decides first. */
  public List<List<String>> fields(Standing standing) {
    var first = standing == Standing.PROVISIONED ? provisionedWhen : invalidWhen;
    var condition = first != null ? first : provisionedWhen;
    return condition == null ? List.of() : condition.fields();
  }

  Standing standingOf(JsonNode object) {
    if (invalidWhen != null && invalidWhen.holds(object)) {
      return Standing.INVALID;
    }
    return provisionedWhen != null && provisionedWhen.holds(object)
        ? Standing.PROVISIONED
        : Standing.UNDECIDED;
  }
}
