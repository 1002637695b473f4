package dev.shipshape.webhook;

import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Deny;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.Decision.TryLater;
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

  /** The hash must be this configuration's: a left-over annotation allows no other. */
  private boolean isNamed(AdmissionRequest request) {
    var guarded = guards.of(request.resource());
    var annotations = request.written().head().path("metadata").path("annotations");
    var named = annotations.path(ANNOTATION).asText();
    return guarded != null
        && named.equals(request.written().hash(guarded.guard().identity()).toString());
  }

  private static Decision overridden(Map<String, String> audit) {
    return new Allow(Grounds.OVERRIDDEN, null, Audit.decidedOtherwise(audit, Grounds.OVERRIDDEN));
  }
}
