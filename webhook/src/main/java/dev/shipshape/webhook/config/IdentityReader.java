package dev.shipshape.webhook.config;

import dev.shipshape.service.Section;
import dev.shipshape.webhook.identity.ElementOrder;
import dev.shipshape.webhook.identity.EmptyValues;
import dev.shipshape.webhook.identity.Identity;
import dev.shipshape.webhook.identity.RuleTree;
import dev.shipshape.webhook.identity.SequenceNumbers;
import dev.shipshape.webhook.identity.TextFormat;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

final class IdentityReader {
  private static final Pattern CONTENT = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
  private static final Set<String> NO_CONTENT = Set.of("apiVersion", "kind", "metadata", "status");

  private IdentityReader() {}

  static Identity read(Section section) {
    var absences = EnumSet.noneOf(EmptyValues.class);
    absences.addAll(section.texts("absent", text -> Section.constant(EmptyValues.class, text)));
    var content = section.required("content");
    section.parsed("content", content, IdentityReader::requireTopLevel);
    var rules = new RuleTree(content);
    var secrets = new RuleTree();
    section.texts("drop", rules::drop);
    section.texts("secret", rules::drop);
    section.texts("secret", secrets::drop);
    section.entries(
        "defaults", (place, value) -> rules.defaultValue(place, StatusConditions.value(value)));
    section.entries(
        "sameAsAbsent", (place, value) -> rules.sameAsAbsent(place, StatusConditions.value(value)));
    section.entries(
        "spelling",
        (place, kind) -> rules.spelling(place, Section.constant(TextFormat.class, kind)));
    for (var rule : section.sections("sequences")) {
      var absent = rule.choice("absent", SequenceNumbers.AbsentNumber.POSITION);
      var numbers = new SequenceNumbers(rule.required("field"), absent);
      place(rule, list -> rules.sequence(list, numbers));
    }
    for (var rule : section.sections("sorted")) {
      var keys = rule.texts("by");
      var agreeing = rule.text("agreeing").orElse(null);
      if (agreeing != null && keys.isEmpty()) {
        rule.problem("agreeing", "needs by: elements with the same first key must agree");
      }
      place(rule, list -> rules.sorted(list, new ElementOrder(keys, agreeing)));
    }
    return new Identity(content, absences, rules, secrets);
  }

  private static String requireTopLevel(String content) {
    if (!CONTENT.matcher(content).matches() || NO_CONTENT.contains(content)) {
      throw new IllegalArgumentException("must be a field at the top of objects, such as spec");
    }
    return content;
  }

  /** Adds a rule at the path in {@code list}. */
  private static void place(Section rule, Function<String, RuleTree> add) {
    if (!rule.required("list").isEmpty()) {
      var _ = rule.parsed("list", new RuleTree(), add);
    }
  }
}
