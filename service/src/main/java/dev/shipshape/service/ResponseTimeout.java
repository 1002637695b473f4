package dev.shipshape.service;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Ends a response whose body does not arrive: the request timeout of the JDK's client ends with the
 * headers (until JDK 26), and a caller would wait for ever. Watches have no end.
 */
final class ResponseTimeout implements Interceptor {
  static final String NAME = "response-timeout";

  /** A page of large objects over a slow line takes long, too. */
  static final Duration TIMEOUT = Duration.ofMinutes(3);

  private final Duration timeout;

  ResponseTimeout(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public void after(
      HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> next) {
    var query = String.valueOf(request.uri().getQuery());
    if (response.body() instanceof AsyncBody body && !query.contains("watch=true")) {
      var _ =
          body.done()
              .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
              .exceptionally(
                  _ -> {
                    body.cancel();
                    return null;
                  });
    }
  }
}
