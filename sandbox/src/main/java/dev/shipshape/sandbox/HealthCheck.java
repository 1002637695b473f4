package dev.shipshape.sandbox;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * Asks a server whether it is there.
 *
 * @param client trusts the server, and nobody else: another control plane that took the port first
 *     does not pass for it
 */
record HealthCheck(HttpClient client, URI address) {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Whether a GET is answered with 200. */
  boolean succeeds() {
    var request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SandboxException("interrupted while asking " + address, e);
    }
  }
}
