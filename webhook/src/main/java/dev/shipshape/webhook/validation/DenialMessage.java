package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.known.Evidence;
import java.util.List;

/** The message of a refusal. */
final class DenialMessage {
  /** Characters. Only very long names make a message longer. */
  static final int MAX_LENGTH = 400;

  /** The annotation with the hash of a configuration to let through. */
  static final String OVERRIDE_ANNOTATION = "shipshape.dev/allow-known-invalid";

  /** With less space, the error is left out. */
  private static final int MIN_REASON_LENGTH = 20;

  private static final int MAX_NAMED_NODES = 2;

  private DenialMessage() {}

  /** States what it equals and since when, then what to do; the error is cut to the rest. */
  static String of(AdmissionRequest request, ValidationHandler.Result result, String overrideRole) {
    var evidence = result.evidence();
    var first = evidence.getFirst();
    var when = (first.since().isEmpty() ? "" : " since " + first.since()) + on(first.failedOn());
    var what =
        "this configuration is known invalid: it equals %s%s%s"
            .formatted(
                first.subject(),
                evidence.size() == 1 ? "" : " (and %d more)".formatted(evidence.size() - 1),
                when.isEmpty() ? "" : ", invalid" + when);
    var hash = String.valueOf(result.hash());
    var rest = ". " + first.remedy() + override(request, hash, overrideRole);
    return what + reason(first, MAX_LENGTH - what.length() - rest.length()) + rest;
  }

  /** The hash in the override annotation; empty if there is none. */
  static String overrideHash(AdmissionRequest request) {
    return request.object().at("/metadata/annotations").path(OVERRIDE_ANNOTATION).asText();
  }

  /**
   * How to override the refusal. If the annotation is set already, the user lacks the permission:
   * otherwise the API server would have called the override endpoint.
   */
  private static String override(AdmissionRequest request, String hash, String role) {
    if (!overrideHash(request).equals(hash)) {
      return "Override: annotate it with %s=%s".formatted(OVERRIDE_ANNOTATION, hash);
    }
    var user = request.user();
    if (user.isEmpty()) {
      // A review of files.
      return "%s is there, for users with the verb override on %s.shipshape.dev"
          .formatted(OVERRIDE_ANNOTATION, request.resource().plural());
    }
    return "%s is there, but %s lacks the verb override on %s.shipshape.dev, which ClusterRole %s grants"
        .formatted(OVERRIDE_ANNOTATION, user, request.resource().plural(), role);
  }

  private static String on(List<String> nodes) {
    return nodes.isEmpty() ? "" : " on " + Evidence.named(nodes, MAX_NAMED_NODES);
  }

  private static String reason(Evidence evidence, int space) {
    if (evidence.reason().isEmpty()) {
      return "";
    }
    var written = evidence.writer().isEmpty() ? "" : evidence.writer() + ": ";
    // Other programs wrote it, and terminals show it.
    var text = (written + evidence.reason()).strip().replaceAll("(?U)[\\p{Cntrl}\\s]+", " ");
    var reason = " (%s)".formatted(text);
    var cut = "...)";
    return reason.length() <= space
        ? reason
        : space < MIN_REASON_LENGTH ? "" : reason.substring(0, space - cut.length()) + cut;
  }
}
