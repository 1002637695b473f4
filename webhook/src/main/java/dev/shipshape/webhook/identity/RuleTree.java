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
 * Rules by path, so that all of them are applied in one pass over an object.
 *
 * <p>A path starts at the content: names joined by dots, {@code []} for every element of a list,
 * {@code *} for every value of a map. {@code vrf[].import[].seq} is the {@code seq} of each import
 * of each VRF; {@code fabricVRFs.*.vni} the {@code vni} of each value of {@code fabricVRFs}.
 *
 * <p>All methods that add a rule throw an IllegalArgumentException if the path is malformed, begins
 * with the name of the content, or if one map would have rules both for a name and for {@code *},
 * because it would be unclear which applies.
 */
public final class RuleTree {
  static final RuleTree EMPTY = new RuleTree();

  private static final String EVERY_MEMBER = "*";
  private static final String EVERY_ELEMENT = "[]";
  private static final Pattern STEP =
      Pattern.compile("(\\*|[A-Za-z0-9_-][A-Za-z0-9_$/-]*)((?:\\[])*)");

  private final Map<String, RuleTree> members = new LinkedHashMap<>();
  private @Nullable RuleTree everyMember;
  private @Nullable RuleTree everyElement;

  final Map<String, RuleTree> defaults = new LinkedHashMap<>();

  /** The name of the content, which no path may begin with; empty below the root. */
  private final String content;

  boolean dropped;

  /** The value of a missing member; null if it has no default. */
  @Nullable JsonNode defaultValue;

  /** Normalised values that mean the same as a missing member. */
  final List<JsonNode> sameAsAbsent = new ArrayList<>();

  @Nullable TextFormat spelling;
  @Nullable SequenceNumbers sequence;
  @Nullable ElementOrder sorted;

  /** Without rules. Paths may begin with any name. */
  public RuleTree() {
    this("");
  }

  /**
   * @param content the field that paths start at. A path that begins with its name is refused: it
   *     would select nothing, so that a secret would not be hidden
   */
  public RuleTree(String content) {
    this.content = content;
  }

  /** Excludes the field from the identity. The path ends with a name, or with {@code *}. */
  public RuleTree drop(String path) {
    if (path.endsWith(EVERY_ELEMENT)) {
      throw new IllegalArgumentException(
          "%s names the elements of a list: leave out the last []".formatted(path));
    }
    at(path).dropped = true;
    return this;
  }

  /** Sets the default of a missing field. The path ends with a name. */
  public RuleTree defaultValue(String path, JsonNode value) {
    var steps = steps(path);
    var name = steps.removeLast();
    if (name.equals(EVERY_MEMBER) || name.equals(EVERY_ELEMENT)) {
      throw new IllegalArgumentException(
          "the default at %s has no field name: end the path with a name".formatted(path));
    }
    var place = at(path);
    place.defaultValue = Normaliser.NOTHING.normalise(value);
    at(path, steps).defaults.put(name, place);
    return this;
  }

  /** Makes this value equal to a missing field; not together with a default. */
  public RuleTree sameAsAbsent(String path, JsonNode value) {
    at(path).sameAsAbsent.add(Normaliser.NOTHING.normalise(value));
    return this;
  }

  /** Normalises the spelling of this text. */
  public RuleTree spelling(String path, TextFormat format) {
    at(path).spelling = format;
    return this;
  }

  /** Sorts the list by the sequence numbers of its elements. */
  public RuleTree sequence(String path, SequenceNumbers numbers) {
    at(path).sequence = numbers;
    return this;
  }

  /** Sorts the list, because its order has no meaning. */
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

  /** {@link #defaultValue} of a member of {@link #defaults}. */
  JsonNode requiredDefault() {
    return Objects.requireNonNull(defaultValue, "has no default");
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
            "the rule for %s has a name where another rule has *".formatted(path));
      }
      place = below;
    }
    return place;
  }

  private List<String> steps(String path) {
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
    if (steps.getFirst().equals(content)) {
      throw new IllegalArgumentException(
          "%s begins in the content: leave out \"%s\"".formatted(path, content));
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
