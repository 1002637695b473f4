package dev.shipshape.webhook.certificate;

import java.util.Map;

/**
 * A webhook configuration as it stands.
 *
 * @param uid so that only this very object is written to
 * @param bundles the {@code caBundle} of each of our entries, PEM, by the entry's name; empty where
 *     there is none
 */
record Registration(
    WebhookConfiguration configuration, String name, String uid, Map<String, String> bundles) {
  Registration {
    bundles = Map.copyOf(bundles);
  }

  /** Whether each of our entries has this bundle. */
  boolean has(String bundle) {
    return bundles.values().stream().allMatch(bundle::equals);
  }

  @Override
  public String toString() {
    return configuration.kind() + " " + name;
  }
}
