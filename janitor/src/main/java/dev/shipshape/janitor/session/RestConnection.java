package dev.shipshape.janitor.session;

import dev.shipshape.certs.ClientContext;
import dev.shipshape.service.StartFailure;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What the CFS service and Prometheus are called over. */
public final class RestConnection {
  private static final Duration CONNECT = Duration.ofSeconds(5);

  private RestConnection() {}

  /**
   * Makes a client, which sends nothing yet and follows no redirects: they could lead a token
   * astray.
   *
   * @param authorityFile the authorities that https is trusted by, PEM, and no others; null for
   *     Java's own
   * @throws StartFailure where the file cannot be read or holds no certificate
   */
  public static HttpClient open(@Nullable Path authorityFile) {
    var http =
        HttpClient.newBuilder().connectTimeout(CONNECT).followRedirects(HttpClient.Redirect.NEVER);
    if (authorityFile != null) {
      try {
        http.sslContext(ClientContext.trusting(Files.readString(authorityFile)));
      } catch (IOException | IllegalArgumentException e) {
        throw new StartFailure(
            "could not take authorityFile %s for authorities to trust: %s"
                .formatted(authorityFile, e),
            e);
      }
    }
    return http.build();
  }

  /** One call, whose answer must be there to its last byte in time: a timeout bounds its head. */
  public static HttpResponse<byte[]> send(
      HttpClient http, HttpRequest request, BodyHandler<byte[]> body, Duration timeout)
      throws IOException, InterruptedException, TimeoutException {
    var answer = http.sendAsync(request, body);
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }
}
