package dev.shipshape.certs;

import java.time.Duration;
import java.util.List;

/**
 * The request for a serving certificate.
 *
 * @param commonName the subject's common name
 * @param names DNS names and IP addresses of the server; at least one
 */
public record ServerRequest(String commonName, List<String> names, Duration life) {
  public ServerRequest {
    names = List.copyOf(names);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("a serving certificate needs at least one name");
    }
  }
}
