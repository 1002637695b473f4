package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rules by place, so that one walk over an object meets each where it holds.
 *
 * <p>A place is a path within the content: names joined by dots, {@code []} for every element of a
 * list, {@code *} for every value of a map. {@code vrf[].import[].seq} is the {@code seq} of each
 * import of each VRF; {@code fabricVRFs.*.vni} the {@code vni} of each value of {@code fabricVRFs}.
 *
 * <p>Each rule is refused with an IllegalArgumentException if its path is none, or if one place
 * would have rules by name and for every member, since it would be unclear which of them hold.
 */
public final class RuleTree {
  static final RuleTree EMPTY = new RuleTree();

  private static final String EVERY_MEMBER = "*";
  private static final String EVERY_ELEMENT = "[]";
  private static final Pattern STEP = Pattern.compile("(\\*|[A-Za-z0-9_$/-]+)((?:\\[])*)");

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
  @Nullable SequenceNumbers sequence;
  @Nullable ElementOrder sorted;

  /** The field is no part of the identity. */
  public RuleTree drop(String path) {
    at(path).dropped = true;
    return this;
  }

  /** Where the field is absent, this is what it means. The path ends with a name. */
  public RuleTree fallback(String path, JsonNode value) {
    var steps = steps(path);
    var name = steps.removeLast();
    if (name.equals(EVERY_MEMBER) || name.equals(EVERY_ELEMENT)) {
      throw new IllegalArgumentException(
          "the default at %s is of no member: end the path with a name".formatted(path));
    }
    var place = at(path);
    place.defaultValue = Normaliser.NOTHING.normalise(value);
    at(path, steps).defaults.put(name, place);
    return this;
  }

  /** This value means the same as the field's absence. */
  public RuleTree sameAsAbsent(String path, JsonNode value) {
    at(path).sameAsAbsent.add(Normaliser.NOTHING.normalise(value));
    return this;
  }

  /** The text at this place has several spellings. */
  public RuleTree spelling(String path, TextFormat format) {
    at(path).spelling = format;
    return this;
  }

  /** The elements at this place are in the order of a number that each may carry. */
  public RuleTree sequence(String path, SequenceNumbers numbers) {
    at(path).sequence = numbers;
    return this;
  }

  /** The order of the elements at this place means nothing. */
  public RuleTree sorted(String path, ElementOrder order) {
    at(path).sorted = order;
    return this;
  }

  boolean isEmpty() {
    return members.isEmpty() && everyMember == null && everyElement == null;
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

  private RuleTree at(String path) {
    return at(path, steps(path));
  }

  private RuleTree at(String path, List<String> steps) {
    var place = this;
    for (var step : steps) {
      var below = place.down(step);
      if (place.everyMember != null && !place.members.isEmpty()) {
        throw new IllegalArgumentException(
            "the rule for %s names a member of a place where another rule has *".formatted(path));
      }
      place = below;
    }
    return place;
  }

  private static List<String> steps(String path) {
    var steps = new ArrayList<String>();
    for (var part : path.split("\\.", -1)) {
      var match = STEP.matcher(part);
      if (!match.matches()) {
        throw new IllegalArgumentException(
            "not a path: \"%s\"; write names joined by dots, with [] for every element of a list and * for every value of a map"
                .formatted(path));
      }
      steps.add(match.group(1));
      steps.addAll(
          Collections.nCopies(match.group(2).length() / EVERY_ELEMENT.length(), EVERY_ELEMENT));
    }
    return steps;
  }

  private RuleTree down(String step) {
    if (step.equals(EVERY_MEMBER)) {
      everyMember = Objects.requireNonNullElseGet(everyMember, RuleTree::new);
      return everyMember;
    }
    if (step.equals(EVERY_ELEMENT)) {
      everyElement = Objects.requireNonNullElseGet(everyElement, RuleTree::new);
      return everyElement;
    }
    return members.computeIfAbsent(step, absent -> new RuleTree());
  }
}
