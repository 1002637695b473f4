package dev.shipshape.webhook;

import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Deny;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.Decision.TryLater;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.review.AdmissionRequest;
import java.util.Map;

/**
 * Lets through what would be refused, where the writer names the configuration's hash. Only for
 * requests of which the API server has found that their writer may: it alone sends them to the
 * entry that this decides for.
 */
final class BreakGlass implements Decider {
  static final String ANNOTATION = "shipshape.dev/allow-known-invalid";

  private final Decider usual;
  private final Guards guards;

  BreakGlass(Decider usual, Guards guards) {
    this.usual = usual;
    this.guards = guards;
  }

  @Override
  public Decision decide(AdmissionRequest request) {
    return switch (usual.decide(request)) {
      case Deny denial when denial.refusal() == Refusal.KNOWN_INVALID && isNamed(request) ->
          overridden(denial.audit());
      case TryLater later when isNamed(request) -> overridden(later.audit());
      case Decision other -> other;
    };
  }

  /**
   * How a refused configuration is written all the same. Whoever has named it already lacks the
   * right: the API server would have sent the request elsewhere.
   *
   * @param role the ClusterRole that has the right
   */
  static String advice(Guard guard, AdmissionRequest request, ConfigHash hash, String role) {
    var resource = guard.resource().plural();
    if (!named(request).equals(hash.toString())) {
      return "To write it all the same, annotate it with %s=%s; that takes the verb override on %s in the group shipshape.dev."
          .formatted(ANNOTATION, hash, resource);
    }
    var user = request.user();
    return "The annotation %s is there, but %s lacks the verb override on %s in the group shipshape.dev; to grant it: kubectl create clusterrolebinding %s --clusterrole=%s --user=%s"
        .formatted(
            ANNOTATION,
            user,
            resource,
            quoted("override-" + user.replaceAll("[/%]", "-")),
            role,
            quoted(user));
  }

  /** As a shell takes it for one word. */
  private static String quoted(String text) {
    return text.matches("[-\\w.:@]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** The hash must be this configuration's: a left-over annotation allows no other. */
  private boolean isNamed(AdmissionRequest request) {
    var guarded = guards.of(request.resource());
    return guarded != null
        && named(request).equals(request.written().hash(guarded.guard().identity()).toString());
  }

  private static String named(AdmissionRequest request) {
    var annotations = request.written().head().path("metadata").path("annotations");
    return annotations.path(ANNOTATION).asText();
  }

  private static Decision overridden(Map<String, String> audit) {
    return new Allow(Grounds.OVERRIDDEN, null, Audit.decidedOtherwise(audit, Grounds.OVERRIDDEN));
  }
}
