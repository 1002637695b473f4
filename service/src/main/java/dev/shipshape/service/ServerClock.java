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

/** The API server's clock, which the client does not show: ages are judged by it, not by ours. */
public final class ServerClock {
  private static final int TIMEOUT_SECONDS = 10;

  private ServerClock() {}

  /**
   * The server's time, to the second.
   *
   * @throws KubernetesClientException where the server does not answer, or without its time
   */
  public static Instant read(KubernetesClient client) {
    var http = client.getHttpClient();
    var request =
        http.newHttpRequestBuilder()
            .uri(client.getMasterUrl() + "version")
            .timeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .build();
    try {
      return require(http.sendAsync(request, byte[].class).get().header("Date"), "the API server");
    } catch (ExecutionException e) {
      throw new KubernetesClientException("GET /version got no answer: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubernetesClientException("interrupted while the API server's time was asked", e);
    }
  }

  /**
   * Reads a Date header.
   *
   * @param server what to call the server that sent it
   * @throws KubernetesClientException where there is none that can be read
   */
  public static Instant require(@Nullable String header, String server) {
    try {
      if (header != null) {
        return ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      }
    } catch (DateTimeException e) {
      // As good as none.
    }
    throw new KubernetesClientException(
        "%s's answers carry no Date: no age can be told".formatted(server));
  }
}
