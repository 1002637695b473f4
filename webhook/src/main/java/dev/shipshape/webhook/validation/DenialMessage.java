package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.known.Evidence;
import java.util.List;

/** The message of a refusal. */
final class DenialMessage {
  /** Characters. Only very long names make a message longer. */
  static final int LONGEST = 400;

  /** The annotation with the hash of a configuration to let through. */
  static final String OVERRIDE = "shipshape.dev/allow-known-invalid";

  /** With less space, the error is left out. */
  private static final int LEAST = 20;

  /** Maximum of named nodes. */
  private static final int SOME = 2;

  private DenialMessage() {}

  /**
   * States first what the configuration equals and since when, then what to do. The error is cut to
   * the remaining space.
   *
   * @param overrideRole the ClusterRole that grants the override
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

  /** The hash in the override annotation; empty if there is none. */
  static String namedHash(AdmissionRequest request) {
    return request.object().at("/metadata/annotations").path(OVERRIDE).asText();
  }

  /**
   * How to override the refusal. If the annotation is set already, the user lacks the permission:
   * otherwise the API server would have called the override endpoint.
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

  /** Quotes the text for a shell. */
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
    // Other programs wrote it, and terminals show it.
    var told = (written + evidence.why()).strip().replaceAll("(?U)[\\p{Cntrl}\\s]+", " ");
    var reason = " (%s)".formatted(told);
    var cut = "...)";
    return reason.length() <= room
        ? reason
        : room < LEAST ? "" : reason.substring(0, room - cut.length()) + cut;
  }
}
