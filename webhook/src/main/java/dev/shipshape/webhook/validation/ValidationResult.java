package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.Evidence;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of the validation of a write.
 *
 * @param message further information for the message; may be empty
 * @param guard the guard's name; empty if not relevant
 * @param hash the hash of the configuration; null if not relevant
 * @param evidence sorted; evidence that only warns comes last
 */
record ValidationResult(
    Reason reason,
    String message,
    String guard,
    @Nullable ConfigHash hash,
    List<Evidence> evidence) {
  static ValidationResult of(Reason reason) {
    return of(reason, "");
  }

  static ValidationResult of(Reason reason, String why) {
    return new ValidationResult(reason, why, "", null, List.of());
  }

  static ValidationResult of(Reason reason, Guard guard, ConfigHash hash, List<Evidence> evidence) {
    return new ValidationResult(reason, "", guard.name(), hash, evidence);
  }

  String subject() {
    return evidence.isEmpty() ? "" : evidence.getFirst().subject();
  }

  Decision toDecision(Reason other, String message) {
    return new Decision(other, message, "", audit(other));
  }

  private Map<String, String> audit(Reason other) {
    if (hash == null) {
      return Map.of();
    }
    var audit =
        new HashMap<>(
            Map.of(
                "decision",
                auditLabel(other),
                "guard",
                guard,
                Decision.CONFIG_HASH,
                hash.toString()));
    if (!evidence.isEmpty()) {
      audit.put("equals", subject());
    }
    return audit;
  }

  private static String auditLabel(Reason reason) {
    return reason.isKnownInvalid()
        ? "denied"
        : reason == Reason.NOT_READY ? "postponed" : reason.auditLabel();
  }
}
