package dev.shipshape.webhook.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A place within an object: names joined by dots, {@code []} for every element of a list, {@code *}
 * for every value of a map. {@code vrf[].import[].seq} is the {@code seq} of each import of each
 * VRF; {@code fabricVRFs.*.vni} the {@code vni} of each value of {@code fabricVRFs}.
 */
public record FieldPath(List<Step> steps) {
  private static final Pattern STEP = Pattern.compile("(\\*|[A-Za-z0-9_$/-]+)((?:\\[])*)");

  /** One step down. */
  sealed interface Step {
    /** To the member of this name. */
    record Member(String name) implements Step {}

    /** To every member. */
    record EveryMember() implements Step {}

    /** To every element. */
    record EveryElement() implements Step {}
  }

  public FieldPath {
    steps = List.copyOf(steps);
  }

  /**
   * Reads a path.
   *
   * @throws IllegalArgumentException where the text is none
   */
  public static FieldPath parse(String text) {
    var steps = new ArrayList<Step>();
    for (var part : text.split("\\.", -1)) {
      var match = STEP.matcher(part);
      if (!match.matches()) {
        throw new IllegalArgumentException(
            "not a path: \"%s\"; write names joined by dots, with [] for every element of a list and * for every value of a map"
                .formatted(text));
      }
      steps.add(match.group(1).equals("*") ? new Step.EveryMember() : member(match.group(1)));
      for (var index = 0; index < match.group(2).length(); index += "[]".length()) {
        steps.add(new Step.EveryElement());
      }
    }
    return new FieldPath(steps);
  }

  private static Step member(String name) {
    return new Step.Member(name);
  }

  /** The path as it is written. */
  @Override
  public String toString() {
    return steps.stream()
        .map(
            step ->
                switch (step) {
                  case Step.Member(var name) -> "." + name;
                  case Step.EveryMember() -> ".*";
                  case Step.EveryElement() -> "[]";
                })
        .collect(Collectors.joining())
        .replaceFirst("^\\.", "");
  }
}
