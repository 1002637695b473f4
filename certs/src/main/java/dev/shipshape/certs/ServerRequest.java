package dev.shipshape.certs;

import java.time.Duration;
import java.util.List;

/**
 * What a serving certificate is asked for.
 *
 * @param commonName the subject's common name
 * @param names DNS names and IP addresses that clients will use; at least one
 * @param life how long the certificate is to be valid
 */
public record ServerRequest(String commonName, List<String> names, Duration life) {
  public ServerRequest {
    names = List.copyOf(names);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("a serving certificate needs at least one name");
    }
  }
}
