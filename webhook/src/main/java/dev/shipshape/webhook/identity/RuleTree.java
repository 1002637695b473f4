package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rules by place, so that one walk over an object meets each where it holds. */
final class RuleTree {
  static final RuleTree EMPTY = new RuleTree();

  private final Map<String, RuleTree> members = new LinkedHashMap<>();
  private final Map<String, RuleTree> defaults = new LinkedHashMap<>();
  private @Nullable RuleTree everyMember;
  private @Nullable RuleTree everyElement;

  private boolean dropped;
  private boolean secret;
  private @Nullable JsonNode defaultValue;
  private final List<JsonNode> sameAsAbsent = new ArrayList<>();
  private @Nullable TextFormat spelling;
  private Rule.@Nullable Sequence sequence;
  private Rule.@Nullable Sorted sorted;

  private RuleTree() {}

  /**
   * @throws IllegalArgumentException where one place has rules by name and for every member, since
   *     it would be unclear which of them hold, or where a default names no member
   */
  static RuleTree of(List<Rule> rules) {
    var root = new RuleTree();
    rules.forEach(rule -> root.at(rule.path()).add(rule));
    root.collectDefaults();
    return root;
  }

  private void collectDefaults() {
    members.forEach(
        (name, place) -> {
          if (place.defaultValue != null) {
            defaults.put(name, place);
          }
          place.collectDefaults();
        });
    Stream.of(everyMember, everyElement)
        .filter(Objects::nonNull)
        .forEach(RuleTree::collectDefaults);
  }

  RuleTree member(String name) {
    var named = members.get(name);
    return named != null ? named : everyMember != null ? everyMember : EMPTY;
  }

  RuleTree element() {
    return everyElement != null ? everyElement : EMPTY;
  }

  /** The members that have a default. */
  Map<String, RuleTree> defaults() {
    return defaults;
  }

  boolean dropped() {
    return dropped;
  }

  /** Whether it is dropped because it is a secret. */
  boolean secret() {
    return secret;
  }

  /** What the member means where it is absent; null for nothing. */
  @Nullable JsonNode defaultValue() {
    return defaultValue;
  }

  /** As {@link #defaultValue}, of one of the {@link #defaults}. */
  JsonNode requiredDefault() {
    return Objects.requireNonNull(defaultValue, "has no default");
  }

  /** Whether this value, normalised, means the same as the member's absence. */
  boolean countsAsAbsent(JsonNode value) {
    return !sameAsAbsent.isEmpty() && sameAsAbsent.contains(value);
  }

  @Nullable TextFormat spelling() {
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
      case Rule.Secret ignored -> {
        dropped = true;
        secret = true;
      }
      case Rule.Default(var path, var value) -> {
        if (!(path.steps().getLast() instanceof FieldPath.Step.Member)) {
          throw new IllegalArgumentException(
              "the default at %s is of no member: end the path with a name".formatted(path));
        }
        defaultValue = Normaliser.NOTHING.normalise(value);
      }
      case Rule.SameAsAbsent(_, var value) -> sameAsAbsent.add(Normaliser.NOTHING.normalise(value));
      case Rule.Spelled(_, var kind) -> spelling = kind;
      case Rule.Sequence numbers -> sequence = numbers;
      case Rule.Sorted order -> sorted = order;
    }
  }
}
