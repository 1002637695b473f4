package dev.shipshape.janitor.session;

import dev.shipshape.certs.ClientContext;
import dev.shipshape.service.StartFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls one server. Does not follow redirects, so that a token is never sent to another host. Reads
 * token and authorities before each call, because they may be renewed, and never logs the token.
 */
public final class RestConnection {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final RestEndpoint endpoint;

  /** The authorities of {@code http}, PEM; empty for Java's own. */
  private String authorities;

  private HttpClient http;

  /**
   * Sends nothing yet.
   *
   * @throws StartFailure if the file of authorities cannot be read or holds no certificate
   */
  public RestConnection(RestEndpoint endpoint) {
    this.endpoint = endpoint;
    try {
      this.authorities = readAuthorities();
      this.http = client(authorities);
    } catch (IOException | IllegalArgumentException e) {
      throw new StartFailure(unreadable(e), e);
    }
  }

  private String readAuthorities() throws IOException {
    var file = endpoint.authorityFile();
    return file == null ? "" : Files.readString(file);
  }

  private HttpClient client(String trusted) {
    var builder =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER);
    if (endpoint.authorityFile() != null) {
      builder.sslContext(ClientContext.of(trusted, null));
    }
    return builder.build();
  }

  private synchronized HttpClient current() throws IOException {
    var now = readAuthorities();
    if (!now.equals(authorities)) {
      try {
        http = client(now);
      } catch (IllegalArgumentException e) {
        throw new IOException(unreadable(e), e);
      }
      authorities = now;
    }
    return http;
  }

  private String unreadable(Exception reason) {
    return "could not read certificates from authorityFile %s: %s"
        .formatted(endpoint.authorityFile(), reason);
  }

  /**
   * Sends a request. The timeout is for the whole answer: the client's own covers only its headers.
   * A timeout or an interruption is an IOException, too.
   *
   * @param path with its query, appended to the address
   * @param maxBytes of the answer; a larger one is an IOException
   */
  public HttpResponse<byte[]> send(String method, String path, int maxBytes, Duration timeout)
      throws IOException {
    var request = HttpRequest.newBuilder(URI.create(url(path)));
    authorise(request.method(method, BodyPublishers.noBody()));
    var answer =
        current()
            .sendAsync(
                request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxBytes));
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no complete answer within " + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      answer.cancel(true);
    }
  }

  String url(String path) {
    return endpoint.address().toString().replaceFirst("/$", "") + path;
  }

  private void authorise(HttpRequest.Builder request) throws IOException {
    var file = endpoint.tokenFile();
    if (file == null) {
      return;
    }
    try {
      request.header("Authorization", "Bearer " + Files.readString(file).strip());
    } catch (IllegalArgumentException e) {
      // Not as the cause: its message contains the token.
      throw new IOException(
          "%s has a character that no token may have, such as a line break".formatted(file));
    }
  }
}
