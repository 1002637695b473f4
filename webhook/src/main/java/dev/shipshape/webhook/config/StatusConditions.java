package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.shipshape.service.Section;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conditions that read the outcome of a configuration from an object's own status.
 *
 * @param invalidWhen null if the status never reports "invalid"
 * @param provisionedWhen null if the status never reports "provisioned"
 * @param provisioningWhen null if the status never reports a rollout in progress
 */
public record StatusConditions(
    @Nullable Condition invalidWhen,
    @Nullable Condition provisionedWhen,
    @Nullable Condition provisioningWhen) {
  /** True also if further conditions show that the status is about the previous content. */
  public boolean isDecidingFieldInvalid(JsonNode object) {
    return invalidWhen != null && invalidWhen.decidingFieldHolds(object);
  }

  /** The fields that decide about this status, the deciding one first. */
  public List<JsonPointer> fields(ConfigStatus status) {
    var first = status == ConfigStatus.PROVISIONED ? provisionedWhen : invalidWhen;
    var condition = first != null ? first : provisionedWhen;
    return condition == null ? List.of() : condition.fields();
  }

  public boolean isProvisioning(JsonNode object) {
    return provisioningWhen != null && provisioningWhen.holds(object);
  }

  static StatusConditions read(Section section) {
    return new StatusConditions(
        condition(section, "invalidWhen"),
        condition(section, "provisionedWhen"),
        condition(section, "provisioningWhen"));
  }

  /** {@code {field: a.b, equals: x}} or {@code {field: a.b, sameAs: c.d}}; optional {@code and}. */
  static @Nullable Condition condition(Section section, String name) {
    return section.has(name) ? condition(section.section(name)) : null;
  }

  private static Condition condition(Section section) {
    section.required("field");
    var field = path(section, "field");
    var sameAs = section.has("sameAs") ? path(section, "sameAs") : null;
    var value = sameAs == null ? value(section.required("equals")) : NullNode.getInstance();
    return new Condition(field, sameAs, value, condition(section, "and"));
  }

  /** Reads field names joined by dots; empty if it is absent. */
  static JsonPointer path(Section section, String name) {
    return section.parsed(name, JsonPointer.empty(), StatusConditions::path);
  }

  private static JsonPointer path(String text) {
    if (text.contains("[")) {
      throw new IllegalArgumentException("must not name an element of a list: " + text);
    }
    if (List.of(text.split("\\.", -1)).contains("")) {
      throw new IllegalArgumentException("must be field names joined by dots: " + text);
    }
    var escaped = text.replace("~", "~0").replace("/", "~1");
    return JsonPointer.compile("/" + escaped.replace('.', '/'));
  }

  /** Parses JSON ({@code 9000}, {@code true}); other text is a string. */
  static JsonNode value(String text) {
    try {
      // With the parser of admitted objects, so that 1.5 is the same number in both.
      var value = JsonLimits.tree(text.getBytes(StandardCharsets.UTF_8));
      return value.isMissingNode() ? TextNode.valueOf(text) : value;
    } catch (IOException e) {
      return TextNode.valueOf(text);
    }
  }

  ConfigStatus statusOf(JsonNode object) {
    if (invalidWhen != null && invalidWhen.holds(object)) {
      return ConfigStatus.INVALID;
    }
    return provisionedWhen != null && provisionedWhen.holds(object)
        ? ConfigStatus.PROVISIONED
        : ConfigStatus.UNDECIDED;
  }
}
