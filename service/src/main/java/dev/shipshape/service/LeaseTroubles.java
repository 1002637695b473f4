package dev.shipshape.service;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Why requests about a Lease fail: each reason once, for they are sent every other second. */
final class LeaseTroubles {
  private final String lease;
  private final Map<String, String> said = new HashMap<>();

  /**
   * @param lease its namespace and name
   */
  LeaseTroubles(String lease) {
    this.lease = lease;
  }

  /** What is to be said; empty where it was said, and where another one was merely quicker. */
  Optional<String> failed(String verb, KubernetesClientException failure) {
    if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT) {
      return Optional.empty();
    }
    var why = why(verb, failure);
    return why.equals(said.put(verb, why)) ? Optional.empty() : Optional.of(why);
  }

  void succeeded(String verb) {
    said.remove(verb);
  }

  private String why(String verb, KubernetesClientException failure) {
    return switch (failure.getCode()) {
      case HttpURLConnection.HTTP_FORBIDDEN ->
          "lease %s: no permission to %s it; grant the verbs get and update on it, and create on leases"
              .formatted(lease, verb);
      case HttpURLConnection.HTTP_UNAUTHORIZED ->
          "lease %s: could not %s it, the API server does not accept these credentials"
              .formatted(lease, verb);
      default -> "lease %s: could not %s it: %s".formatted(lease, verb, failure.getMessage());
    };
  }
}
