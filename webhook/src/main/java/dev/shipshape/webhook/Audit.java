package dev.shipshape.webhook;

import dev.shipshape.webhook.identity.ConfigHash;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the API server's audit log is told; it puts the webhook's name before each key. */
final class Audit {
  static final String DECISION = "decision";
  static final String CONFIG_HASH = "config-hash";
  static final String EQUALS = "equals";
  static final String INDEX_AGE = "index-age";

  private Audit() {}

  static Map<String, String> of(Decision.Grounds grounds, ConfigHash hash, List<Finding> equals) {
    return of(grounds.label(), hash, equals);
  }

  static Map<String, String> of(String decision, ConfigHash hash, List<Finding> equals) {
    return Map.of(
        DECISION, decision, CONFIG_HASH, hash.toString(), EQUALS, equals.getFirst().subject());
  }

  /** Where the index is too old to say what it equals. */
  static Map<String, String> withoutIndex(String decision, ConfigHash hash, Duration age) {
    return Map.of(
        DECISION, decision, CONFIG_HASH, hash.toString(), INDEX_AGE, age.toSeconds() + "s");
  }

  /** The same, with another decision. */
  static Map<String, String> decidedOtherwise(Map<String, String> audit, Decision.Grounds grounds) {
    var other = new HashMap<>(audit);
    other.put(DECISION, grounds.label());
    return other;
  }
}
