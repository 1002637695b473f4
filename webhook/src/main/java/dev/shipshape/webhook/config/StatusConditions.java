package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * By what an object's own status says what became of its configuration.
 *
 * @param invalidWhen null where it never says so
 * @param provisionedWhen null where it never says so
 * @param provisioningWhen null where it does not say that it is being rolled out
 */
public record StatusConditions(
    @Nullable Condition invalidWhen,
    @Nullable Condition provisionedWhen,
    @Nullable Condition provisioningWhen) {
  /**
   * Whether the field that decides says "invalid", even where others show that this is about what
   * the object had before.
   */
  public boolean beginsInvalid(JsonNode object) {
    return invalidWhen != null && invalidWhen.begins(object);
  }

  /** The fields that say what the object's standing is, the one that decides first. */
  public List<List<String>> fields(ConfigStatus standing) {
    var first = standing == ConfigStatus.PROVISIONED ? provisionedWhen : invalidWhen;
    var condition = first != null ? first : provisionedWhen;
    return condition == null ? List.of() : condition.fields();
  }

  /** Whether it says that its configuration is being rolled out. */
  public boolean saysProvisioning(JsonNode object) {
    return provisioningWhen != null && provisioningWhen.holds(object);
  }

  ConfigStatus standingOf(JsonNode object) {
    if (invalidWhen != null && invalidWhen.holds(object)) {
      return ConfigStatus.INVALID;
    }
    return provisionedWhen != null && provisionedWhen.holds(object)
        ? ConfigStatus.PROVISIONED
        : ConfigStatus.UNDECIDED;
  }
}
