package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.shipshape.service.Section;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
  public List<JsonPointer> fields(ConfigStatus standing) {
    var first = standing == ConfigStatus.PROVISIONED ? provisionedWhen : invalidWhen;
    var condition = first != null ? first : provisionedWhen;
    return condition == null ? List.of() : condition.fields();
  }

  /** Whether it says that its configuration is being rolled out. */
  public boolean saysProvisioning(JsonNode object) {
    return provisioningWhen != null && provisioningWhen.holds(object);
  }

  static StatusConditions read(Section section) {
    return new StatusConditions(
        condition(section, "invalidWhen"),
        condition(section, "provisionedWhen"),
        condition(section, "provisioningWhen"));
  }

  /**
   * {@code {field: a.b, equals: x}} or {@code {field: a.b, sameAs: c.d}}, each with {@code and}.
   */
  static @Nullable Condition condition(Section section, String name) {
    return section.has(name) ? condition(section.section(name)) : null;
  }

  private static Condition condition(Section section) {
    var field = path(section.required("field"));
    var other = section.text("sameAs");
    var one =
        other.isPresent()
            ? new Condition.FieldsAgree(field, path(other.get()))
            : new Condition.FieldEquals(field, value(section.required("equals")));
    return section.has("and") ? new Condition.Both(one, condition(section.section("and"))) : one;
  }

  /** Names joined by dots. */
  static JsonPointer path(String text) {
    var escaped = text.replace("~", "~0").replace("/", "~1");
    return JsonPointer.compile("/" + escaped.replace('.', '/'));
  }

  /** JSON where the text is JSON ({@code 9000}, {@code true}), else a text. */
  static JsonNode value(String text) {
    try {
      // As objects are read: 1.5 is the same number in both.
      var value = JsonLimits.tree(text.getBytes(StandardCharsets.UTF_8));
      return value.isMissingNode() ? TextNode.valueOf(text) : value;
    } catch (IOException e) {
      return TextNode.valueOf(text);
    }
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
