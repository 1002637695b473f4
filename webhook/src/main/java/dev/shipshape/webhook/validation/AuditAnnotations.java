package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionResponse;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.Evidence;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the API server's audit log is told; it puts the webhook's name before each key. */
final class AuditAnnotations {
  static final String DECISION = "decision";
  static final String CONFIG_HASH = "config-hash";
  static final String EQUALS = "equals";
  static final String INDEX_AGE = "index-age";

  private AuditAnnotations() {}

  static Map<String, String> of(String decision, ConfigHash hash, List<Evidence> equals) {
    return Map.of(
        DECISION, decision, CONFIG_HASH, hash.toString(), EQUALS, equals.getFirst().subject());
  }

  /** Where the index is too old to say what it equals. */
  static Map<String, String> withoutIndex(String decision, ConfigHash hash, Duration age) {
    return Map.of(
        DECISION, decision, CONFIG_HASH, hash.toString(), INDEX_AGE, age.toSeconds() + "s");
  }

  /** Lets through what these annotations are about, for this reason. */
  static AdmissionResponse otherwise(Reason reason, Map<String, String> annotations) {
    return otherwise(reason, null, annotations);
  }

  /**
   * The same, with a warning.
   *
   * @param warning null for none
   */
  static AdmissionResponse otherwise(
      Reason reason, @Nullable String warning, Map<String, String> annotations) {
    var other = new HashMap<>(annotations);
    other.put(DECISION, reason.word());
    return new AdmissionResponse.Allowed(reason, warning, other);
  }
}
