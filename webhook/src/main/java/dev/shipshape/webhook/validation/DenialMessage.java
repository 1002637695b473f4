package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.known.Evidence;
import java.util.List;

/** What somebody reads whose configuration is refused. */
final class DenialMessage {
  /** Characters that kubectl's users read at a glance; only very long names make it longer. */
  static final int LONGEST = 400;

  /** The annotation by which a writer names the hash of what is to be let through. */
  static final String OVERRIDE = "shipshape.dev/allow-known-invalid";

  /** With less room, nothing is said of why it failed. */
  private static final int LEAST = 20;

  /** Nodes that are named of those where it failed. */
  private static final int SOME = 2;

  private DenialMessage() {}

  /**
   * First what it equals and since when, then what to do. Why it failed is cut to what is left.
   *
   * @param overrideRole the ClusterRole that has the right to override
   */
  static String of(AdmissionRequest request, Verdict verdict, String overrideRole) {
    var equals = verdict.evidence();
    var one = equals.getFirst();
    var when = (one.since().isEmpty() ? "" : " since " + one.since()) + on(one.failedOn());
    var what =
        "this configuration is known invalid: it equals %s%s%s"
            .formatted(
                one.subject(),
                equals.size() == 1 ? "" : " (and %d more)".formatted(equals.size() - 1),
                when.isEmpty() ? "" : ", invalid" + when);
    var hash = String.valueOf(verdict.hash());
    var rest = ". " + one.remedy() + override(request, hash, overrideRole);
    return what + reason(one, LONGEST - what.length() - rest.length()) + rest;
  }

  /** The hash that the writer names, to have it let through; empty for none. */
  static String namedHash(AdmissionRequest request) {
    return request.object().at("/metadata/annotations").path(OVERRIDE).asText();
  }

  /**
   * How a refused configuration is written all the same. Whoever has named it already lacks the
   * right: the API server would have sent the request elsewhere.
   */
  private static String override(AdmissionRequest request, String hash, String role) {
    if (!namedHash(request).equals(hash)) {
      return "Override: annotate it with %s=%s".formatted(OVERRIDE, hash);
    }
    var user = request.user();
    return "%s is there, but %s lacks the verb override on %s.shipshape.dev; to grant it: kubectl create clusterrolebinding %s --clusterrole=%s --user=%s"
        .formatted(
            OVERRIDE,
            user,
            request.resource().plural(),
            quoted("override-" + user.replaceAll("[/%]", "-")),
            role,
            quoted(user));
  }

  /** As a shell takes it for one word. */
  private static String quoted(String text) {
    return text.matches("[-\\w.:@]+") ? text : "'" + text.replace("'", "'\\''") + "'";
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
    // Others wrote it, and it is read on terminals.
    var told = (written + evidence.why()).strip().replaceAll("(?U)[\\p{Cntrl}\\s]+", " ");
    var reason = " (%s)".formatted(told);
    var cut = "...)";
    return reason.length() <= room
        ? reason
        : room < LEAST ? "" : reason.substring(0, room - cut.length()) + cut;
  }
}
