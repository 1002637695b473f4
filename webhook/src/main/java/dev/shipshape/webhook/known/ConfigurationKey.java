package dev.shipshape.webhook.known;

import dev.shipshape.webhook.identity.ConfigHash;

/**
 * Identifies a configuration.
 *
 * @param guard the guard's name, a DNS label
 * @param namespace empty for cluster-scoped kinds
 */
public record ConfigurationKey(String guard, String namespace, ConfigHash hash) {
  /** The name of the KnownInvalidConfiguration. */
  public String objectName() {
    return guard
        + (namespace.isEmpty() ? "" : "." + namespace)
        + hash.toString().replace("v1:", ".");
  }

  @Override
  public String toString() {
    return guard + (namespace.isEmpty() ? "" : " in " + namespace) + " " + hash;
  }
}
