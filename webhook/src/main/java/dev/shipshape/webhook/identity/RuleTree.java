package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rules by place, so that one walk over an object meets each where it holds. */
final class RuleTree {
  static final RuleTree EMPTY = new RuleTree();

  private final Map<String, RuleTree> members = new LinkedHashMap<>();
  private @Nullable RuleTree everyMember;
  private @Nullable RuleTree everyElement;

  private boolean dropped;
  private @Nullable JsonNode defaultValue;
  private final List<JsonNode> sameAsAbsent = new ArrayList<>();
  private @Nullable Spelling spelling;
  private Rule.@Nullable Sequence sequence;
  private Rule.@Nullable Sorted sorted;

  private RuleTree() {}

  /**
   * @throws IllegalArgumentException where one place has rules by name and for every member, since
   *     it would be unclear which of them hold
   */
  static RuleTree of(List<Rule> rules) {
    var root = new RuleTree();
    rules.forEach(rule -> root.at(rule.path()).add(rule));
    return root;
  }

  RuleTree member(String name) {
    var named = members.get(name);
    return named != null ? named : everyMember != null ? everyMember : EMPTY;
  }

  RuleTree element() {
    return everyElement != null ? everyElement : EMPTY;
  }

  /** The members that a rule names, absent ones included. */
  Map<String, RuleTree> namedMembers() {
    return members;
  }

  boolean dropped() {
    return dropped;
  }

  @Nullable JsonNode defaultValue() {
    return defaultValue;
  }

  boolean countsAsAbsent(JsonNode value) {
    return sameAsAbsent.contains(value);
  }

  @Nullable Spelling spelling() {
    return spelling;
  }

  Rule.@Nullable Sequence sequence() {
    return sequence;
  }

  Rule.@Nullable Sorted sorted() {
    return sorted;
  }

  private RuleTree at(FieldPath path) {
    var place = this;
    for (var step : path.steps()) {
      var below = place.down(step);
      if (place.everyMember != null && !place.members.isEmpty()) {
        throw new IllegalArgumentException(
            "the rule for %s names a member of a place where another rule has *".formatted(path));
      }
      place = below;
    }
    return place;
  }

  private RuleTree down(FieldPath.Step step) {
    switch (step) {
      case FieldPath.Step.Member(var name) -> {
        return members.computeIfAbsent(name, absent -> new RuleTree());
      }
      case FieldPath.Step.EveryMember() -> {
        everyMember = Objects.requireNonNullElseGet(everyMember, RuleTree::new);
        return everyMember;
      }
      case FieldPath.Step.EveryElement() -> {
        everyElement = Objects.requireNonNullElseGet(everyElement, RuleTree::new);
        return everyElement;
      }
    }
  }

  private void add(Rule rule) {
    switch (rule) {
      case Rule.Drop ignored -> dropped = true;
      case Rule.Secret ignored -> dropped = true;
      case Rule.Default(_, var value) -> defaultValue = value;
      case Rule.SameAsAbsent(_, var value) -> sameAsAbsent.add(value);
      case Rule.Spelled(_, var kind) -> spelling = kind;
      case Rule.Sequence numbers -> sequence = numbers;
      case Rule.Sorted order -> sorted = order;
    }
  }
}
