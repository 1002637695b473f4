package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.known.Evidence;
import java.util.List;
import java.util.Optional;

/** What somebody reads whose configuration is refused. */
final class DenialMessage {
  /** Characters that kubectl's users read at a glance; only very long names make it longer. */
  static final int LONGEST = 400;

  /** Nodes that are named of those where it failed. */
  private static final int SOME = 2;

  private DenialMessage() {}

  /**
   * First what it equals and since when, then what to do. Why it failed is cut to what is left.
   *
   * @param refusedBefore the record that it was refused on this node before
   * @param override how it is written all the same
   */
  static String of(List<Evidence> equals, Optional<String> refusedBefore, String override) {
    var one = equals.getFirst();
    var when = (one.since().isEmpty() ? "" : " since " + one.since()) + on(one.failedOn());
    var what =
        "this configuration is known invalid: it equals %s%s%s"
            .formatted(
                one.subject(),
                equals.size() == 1 ? "" : " (and %d more)".formatted(equals.size() - 1),
                when.isEmpty() ? "" : ", invalid" + when);
    var rest =
        ". %s%s%s"
            .formatted(
                one.remedy(),
                refusedBefore
                    .map("It was refused on this node before (%s). "::formatted)
                    .orElse(""),
                override);
    return what + reason(one, LONGEST - what.length() - rest.length()) + rest;
  }

  private static String on(List<String> nodes) {
    if (nodes.isEmpty()) {
      return "";
    }
    var named = String.join(", ", nodes.subList(0, Math.min(SOME, nodes.size())));
    return " on " + named + (nodes.size() > SOME ? " and " + (nodes.size() - SOME) + " more" : "");
  }

  private static String reason(Evidence evidence, int room) {
    if (evidence.why().isEmpty()) {
      return "";
    }
    var written = evidence.writer().isEmpty() ? "" : evidence.writer() + ": ";
    var reason = " (%s%s)".formatted(written, evidence.why());
    var cut = "...)";
    return reason.length() <= room
        ? reason
        : reason.substring(0, Math.max(0, room - cut.length())) + cut;
  }
}
