package dev.shipshape.webhook.config;

import dev.shipshape.service.Section;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads from settings what objects say of themselves. */
final class StatusConditionsReader {
  private StatusConditionsReader() {}

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
            : new Condition.FieldEquals(field, JsonText.read(section.required("equals")));
    return section.has("and") ? new Condition.Both(one, condition(section.section("and"))) : one;
  }

  /** Names joined by dots. */
  static List<String> path(String text) {
    return List.of(text.split("\\."));
  }
}
