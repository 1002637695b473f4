package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules by place, so that one walk over an object meets each where it holds. */
final class RuleTree {
  static final RuleTree EMPTY = new RuleTree();

  private static final Set<String> WITHOUT_NAME =
      Set.of(FieldPath.EVERY_MEMBER, FieldPath.EVERY_ELEMENT);

  private final Map<String, RuleTree> members = new LinkedHashMap<>();
  private @Nullable RuleTree everyMember;
  private @Nullable RuleTree everyElement;

  /** The members that have a default. */
  final Map<String, RuleTree> defaults = new LinkedHashMap<>();

  boolean dropped;

  /** What the member means where it is absent; null for nothing. */
  @Nullable JsonNode defaultValue;

  private final List<JsonNode> sameAsAbsent = new ArrayList<>();
  @Nullable TextFormat spelling;
  Rule.@Nullable Sequence sequence;
  Rule.@Nullable Sorted sorted;

  private RuleTree() {}

  /**
   * @throws IllegalArgumentException where one place has rules by name and for every member, since
   *     it would be unclear which of them hold, or where a default names no member
   */
  static RuleTree of(List<Rule> rules) {
    var root = new RuleTree();
    for (var rule : rules) {
      var steps = rule.path().steps();
      var place = root.at(rule.path());
      place.add(rule);
      if (rule instanceof Rule.Default) {
        var holder = root.at(new FieldPath(steps.subList(0, steps.size() - 1)));
        holder.defaults.put(steps.getLast(), place);
      }
    }
    return root;
  }

  RuleTree member(String name) {
    var named = members.get(name);
    return named != null ? named : everyMember != null ? everyMember : EMPTY;
  }

  RuleTree element() {
    return everyElement != null ? everyElement : EMPTY;
  }

  /** As {@link #defaultValue}, of one of the {@link #defaults}. */
  JsonNode requiredDefault() {
    return Objects.requireNonNull(defaultValue, "has no default");
  }

  /** Whether this value, normalised, means the same as the member's absence. */
  boolean countsAsAbsent(JsonNode value) {
    return !sameAsAbsent.isEmpty() && sameAsAbsent.contains(value);
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

  private RuleTree down(String step) {
    if (step.equals(FieldPath.EVERY_MEMBER)) {
      everyMember = Objects.requireNonNullElseGet(everyMember, RuleTree::new);
      return everyMember;
    }
    if (step.equals(FieldPath.EVERY_ELEMENT)) {
      everyElement = Objects.requireNonNullElseGet(everyElement, RuleTree::new);
      return everyElement;
    }
    return members.computeIfAbsent(step, absent -> new RuleTree());
  }

  private void add(Rule rule) {
    switch (rule) {
      case Rule.Drop _, Rule.Secret _ -> dropped = true;
      case Rule.Default(var path, var value) -> {
        if (WITHOUT_NAME.contains(path.steps().getLast())) {
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
