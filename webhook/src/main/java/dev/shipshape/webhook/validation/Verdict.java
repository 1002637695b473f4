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
 * What was found about a write.
 *
 * @param why what there is to say of it; empty for nothing
 * @param guard its name; empty where it did not matter
 * @param hash the configuration's; null where it did not matter
 * @param evidence that the configuration is invalid, what only warns last
 */
record Verdict(
    Reason reason, String why, String guard, @Nullable ConfigHash hash, List<Evidence> evidence) {
  static Verdict of(Reason reason) {
    return of(reason, "");
  }

  static Verdict of(Reason reason, String why) {
    return new Verdict(reason, why, "", null, List.of());
  }

  static Verdict of(Reason reason, Guard guard, ConfigHash hash, List<Evidence> evidence) {
    return new Verdict(reason, "", guard.name(), hash, evidence);
  }

  /** What the configuration equals. */
  String subject() {
    return evidence.isEmpty() ? "" : evidence.getFirst().subject();
  }

  /** The decision that is made of it. */
  Decision as(Reason other, String message) {
    return new Decision(other, message, "", audit(other));
  }

  private Map<String, String> audit(Reason other) {
    if (hash == null) {
      return Map.of();
    }
    var audit =
        new HashMap<>(
            Map.of("decision", word(other), "guard", guard, Decision.CONFIG_HASH, hash.toString()));
    if (!evidence.isEmpty()) {
      audit.put("equals", subject());
    }
    return audit;
  }

  private static String word(Reason reason) {
    return reason.isKnownInvalid()
        ? "denied"
        : reason == Reason.NOT_READY ? "postponed" : reason.word();
  }
}
