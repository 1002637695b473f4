package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.webhook.identity.Normalisation.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Two objects of one kind side by side.
 *
 * @param differences why they are not the same configuration; empty if they are
 * @param left what is normalised in the left object only, or otherwise than in the right one
 * @param right the same of the right object
 */
public record Comparison(
    List<Difference> differences, List<Normalisation> left, List<Normalisation> right) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public Comparison {
    differences = List.copyOf(differences);
    left = List.copyOf(left);
    right = List.copyOf(right);
  }

  /** Compares what two objects configure. */
  public static Comparison of(Identity identity, JsonNode left, JsonNode right) {
    var ofLeft = identity.explain(left);
    var ofRight = identity.explain(right);
    var found = new ArrayList<Difference>();
    var root = JsonPointer.empty().appendProperty(identity.content());
    var leftSide = new Side(ofLeft);
    var rightSide = new Side(ofRight);
    new Walk(leftSide, rightSide, found)
        .values(root, root, tree(identity.canonical(left)), tree(identity.canonical(right)));
    return new Comparison(
        found,
        without(ofLeft, leftSide, ofRight, rightSide),
        without(ofRight, rightSide, ofLeft, leftSide));
  }

  private static JsonNode tree(byte[] canonical) {
    try {
      return MAPPER.readTree(canonical);
    } catch (IOException e) {
      throw new UncheckedIOException("a canonical form is JSON", e);
    }
  }

  /** What is done at the same place of the canonical form on both sides explains nothing. */
  private static List<Normalisation> without(
      List<Normalisation> some, Side side, List<Normalisation> others, Side otherSide) {
    var known = others.stream().map(otherSide::canonical).collect(Collectors.toSet());
    return some.stream().filter(each -> !known.contains(side.canonical(each))).toList();
  }

  /** Where the elements of the canonical lists come from. */
  private record Side(Map<JsonPointer, List<Integer>> orders) {
    Side(List<Normalisation> normalisations) {
      this(new HashMap<>());
      normalisations.stream()
          .filter(each -> each.kind() == Kind.ORDER)
          .forEach(each -> orders.put(each.at(), indexes(each.meaning())));
    }

    private static List<Integer> indexes(String list) {
      return List.of(list.substring(1, list.length() - 1).split(", ")).stream()
          .map(Integer::valueOf)
          .toList();
    }

    Normalisation canonical(Normalisation written) {
      var place = JsonPointer.empty();
      var canonical = JsonPointer.empty();
      for (var left = written.at(); !left.matches(); left = left.tail()) {
        var order = orders.get(place);
        canonical =
            order == null
                ? canonical.appendProperty(left.getMatchingProperty())
                : canonical.appendIndex(order.indexOf(left.getMatchingIndex()));
        place = place.appendProperty(left.getMatchingProperty());
      }
      return new Normalisation(canonical, written.kind(), written.meaning());
    }

    JsonPointer element(JsonPointer list, int index) {
      var order = orders.get(list);
      return list.appendIndex(order == null ? index : order.get(index));
    }
  }

  private record Walk(Side left, Side right, List<Difference> found) {
    void values(
        JsonPointer atLeft, JsonPointer atRight, @Nullable JsonNode one, @Nullable JsonNode other) {
      if (one != null && other != null && one.isObject() && other.isObject()) {
        var names = new TreeSet<String>();
        one.fieldNames().forEachRemaining(names::add);
        other.fieldNames().forEachRemaining(names::add);
        names.forEach(
            name ->
                values(
                    atLeft.appendProperty(name),
                    atRight.appendProperty(name),
                    one.get(name),
                    other.get(name)));
      } else if (one != null && other != null && one.isArray() && other.isArray()) {
        lists(atLeft, atRight, one, other);
      } else if (one == null ? other != null : !one.equals(other)) {
        found.add(new Difference(atLeft, atRight, one, other));
      }
    }

    /** Elements that both have say nothing; of the others, the first of one meets the first. */
    private void lists(JsonPointer atLeft, JsonPointer atRight, JsonNode one, JsonNode other) {
      var ofLeft = IntStream.range(0, one.size()).boxed().toList();
      var unmatched = new ArrayList<>(IntStream.range(0, other.size()).boxed().toList());
      var rest = new ArrayList<Integer>();
      for (var index : ofLeft) {
        var twin =
            unmatched.stream().filter(each -> other.get(each).equals(one.get(index))).findFirst();
        twin.ifPresentOrElse(unmatched::remove, () -> rest.add(index));
      }
      if (rest.isEmpty() && unmatched.isEmpty()) {
        if (!one.equals(other)) {
          found.add(new Difference(atLeft, atRight, one, other));
        }
        return;
      }
      for (var at = 0; at < Math.max(rest.size(), unmatched.size()); at++) {
        var mine = at < rest.size() ? rest.get(at) : null;
        var theirs = at < unmatched.size() ? unmatched.get(at) : null;
        values(
            mine == null ? atLeft : left.element(atLeft, mine),
            theirs == null ? atRight : right.element(atRight, theirs),
            mine == null ? null : one.get(mine),
            theirs == null ? null : other.get(theirs));
      }
    }
  }
}
