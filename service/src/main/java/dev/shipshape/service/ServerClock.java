package dev.shipshape.service;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads the API server's clock, for ages of objects. The client has no call for it. */
public final class ServerClock {
  private static final int TIMEOUT_SECONDS = 10;

  private ServerClock() {}

  /** Returns its time, to the second; KubernetesClientException if it does not answer with one. */
  public static Instant read(KubernetesClient client) {
    var http = client.getHttpClient();
    var request =
        http.newHttpRequestBuilder()
            .uri(client.getMasterUrl() + "version")
            .timeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .build();
    try {
      return parse(http.sendAsync(request, byte[].class).get().header("Date"), "the API server");
    } catch (ExecutionException e) {
      throw new KubernetesClientException("GET /version got no answer: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubernetesClientException("interrupted while reading the API server's time", e);
    }
  }

  /** Parses a Date header; KubernetesClientException if it is absent or invalid. */
  public static Instant parse(@Nullable String header, String server) {
    try {
      if (header != null) {
        return ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      }
    } catch (DateTimeException e) {
      // Reported below.
    }
    throw new KubernetesClientException(
        "%s sent no valid Date header: ages cannot be computed".formatted(server));
  }
}
