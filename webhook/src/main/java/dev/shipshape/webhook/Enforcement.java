package dev.shipshape.webhook;

import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Deny;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.Decision.TryLater;
import dev.shipshape.webhook.review.AdmissionRequest;
import java.util.Map;

/** What follows from a decision about a configuration: who is spared, and whether to refuse. */
final class Enforcement implements Decider {
  private final Decider content;
  private final Exemptions exemptions;
  private final Mode mode;

  Enforcement(Decider content, Exemptions exemptions, Mode mode) {
    this.content = content;
    this.exemptions = exemptions;
    this.mode = mode;
  }

  @Override
  public Decision decide(AdmissionRequest request) {
    return switch (content.decide(request)) {
      case Deny denial when denial.refusal() == Refusal.KNOWN_INVALID ->
          exemptions.cover(request) ? exempt(denial.audit()) : enforce(denial);
      case TryLater later -> exemptions.cover(request) ? exempt(later.audit()) : later;
      case Decision other -> other;
    };
  }

  private Decision enforce(Deny denial) {
    return switch (mode) {
      case ENFORCE -> denial;
      case AUDIT ->
          new Allow(
              Grounds.WOULD_BE_REFUSED,
              // Longer ones may be cut by the API server.
              "known invalid: equals %s; would be refused in enforce mode"
                  .formatted(denial.audit().get(Audit.EQUALS)),
              Audit.decidedOtherwise(denial.audit(), Grounds.WOULD_BE_REFUSED));
    };
  }

  private static Decision exempt(Map<String, String> audit) {
    return new Allow(
        Grounds.EXEMPT_WRITER, null, Audit.decidedOtherwise(audit, Grounds.EXEMPT_WRITER));
  }
}
