package dev.shipshape.webhook.identity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A place within an object: names joined by dots, {@code []} for every element of a list, {@code *}
 * for every value of a map. {@code vrf[].import[].seq} is the {@code seq} of each import of each
 * VRF; {@code fabricVRFs.*.vni} the {@code vni} of each value of {@code fabricVRFs}.
 *
 * @param steps down: the names of members, and the two below
 */
public record FieldPath(List<String> steps) {
  /** The step to every member. */
  public static final String EVERY_MEMBER = "*";

  /** The step to every element. */
  public static final String EVERY_ELEMENT = "[]";

  private static final Pattern STEP = Pattern.compile("(\\*|[A-Za-z0-9_$/-]+)((?:\\[])*)");

  public FieldPath {
    steps = List.copyOf(steps);
  }

  /**
   * Reads a path.
   *
   * @throws IllegalArgumentException where the text is none
   */
  public static FieldPath parse(String text) {
    var steps = new ArrayList<String>();
    for (var part : text.split("\\.", -1)) {
      var match = STEP.matcher(part);
      if (!match.matches()) {
        throw new IllegalArgumentException(
            "not a path: \"%s\"; write names joined by dots, with [] for every element of a list and * for every value of a map"
                .formatted(text));
      }
      steps.add(match.group(1));
      steps.addAll(
          Collections.nCopies(match.group(2).length() / EVERY_ELEMENT.length(), EVERY_ELEMENT));
    }
    return new FieldPath(steps);
  }

  /** The path as it is written. */
  @Override
  public String toString() {
    return String.join(".", steps).replace("." + EVERY_ELEMENT, EVERY_ELEMENT);
  }
}
