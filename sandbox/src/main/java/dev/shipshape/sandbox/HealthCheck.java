package dev.shipshape.sandbox;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * Checks whether a server is healthy.
 *
 * @param client trusts only this server, so that another control plane on the same port fails the
 *     check
 */
record HealthCheck(HttpClient client, URI address) {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Checks whether a GET is answered with 200. */
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
