package dev.shipshape.plugin.release;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** Sends requests with headers or a timeout, which fabric8's resource API does not offer. */
final class RawRequest {
  private RawRequest() {}

  /**
   * Sends a GET, or the request that {@code more} makes of it.
   *
   * @param path with its query, from the slash
   * @param limit for the whole response
   * @return the response, with any code
   * @throws KubernetesClientException if there is no response in time
   */
  static HttpResponse<byte[]> send(
      KubernetesClient client,
      String path,
      Duration limit,
      UnaryOperator<HttpRequest.Builder> more) {
    var http = client.getHttpClient();
    var url = client.getMasterUrl() + path.substring(1);
    var request = more.apply(http.newHttpRequestBuilder().uri(url)).build();
    var call = request.method() + " " + path;
    var answer = http.sendAsync(request, byte[].class);
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new KubernetesClientException(
          "%s: no answer from the API server within %d s".formatted(call, limit.toSeconds()), e);
    } catch (ExecutionException e) {
      throw new KubernetesClientException(call + ": " + ApiErrors.UNANSWERED, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubernetesClientException(call + " was interrupted", e);
    }
  }
}
