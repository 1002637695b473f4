package dev.shipshape.webhook.certificate;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * The API server's clock, to the second: the one that decides whether a certificate is valid. Each
 * look asks the server, and throws IllegalStateException where it does not say.
 */
public final class ServerClock implements InstantSource {
  private static final long PATIENCE_SECONDS = 10;

  private final KubernetesClient client;

  /** Asks nothing yet. */
  public ServerClock(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Instant instant() {
    var http = client.getHttpClient();
    var uri = URI.create(client.getMasterUrl().toString()).resolve("/version");
    try {
      var answer =
          http.sendAsync(http.newHttpRequestBuilder().uri(uri).build(), byte[].class)
              .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
              .join();
      return ZonedDateTime.parse(answer.header("Date"), DateTimeFormatter.RFC_1123_DATE_TIME)
          .toInstant();
    } catch (CompletionException | DateTimeException | NullPointerException e) {
      throw new IllegalStateException("could not ask the API server for the time: " + e, e);
    }
  }
}
