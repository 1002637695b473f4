package dev.shipshape.janitor.session;

import dev.shipshape.certs.ClientContext;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
 * the token before each call, because it may be renewed, and never logs it.
 */
public final class RestConnection {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_TEXT = 300;

  private final RestEndpoint endpoint;
  private final HttpClient.Builder http;

  /**
   * Sends nothing yet.
   *
   * @throws StartFailure if the file of authorities cannot be read or holds no certificate
   */
  public RestConnection(RestEndpoint endpoint) {
    this.endpoint = endpoint;
    this.http =
        HttpClient.newBuilder()
            // For one request, an upgrade to HTTP/2 is of no use.
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER);
    var file = endpoint.authorityFile();
    if (file != null) {
      try {
        http.sslContext(ClientContext.of(Files.readString(file), null));
      } catch (IOException | IllegalArgumentException e) {
        throw new StartFailure(
            "could not read certificates from authorityFile %s: %s".formatted(file, e), e);
      }
    }
  }

  /**
   * Sends a request, on a connection of its own: uWSGI, in which CFS runs, closes each after one
   * answer without saying so, and on a closed one the JDK repeats only a GET. The timeout is for
   * the whole answer: the client's own covers only its headers. A timeout or an interruption is an
   * IOException, too.
   *
   * @param path with its query, appended to the address
   * @param maxBytes of the answer; a larger one is an IOException
   * @throws KubernetesClientException if the token cannot be read; nothing was sent then
   */
  public HttpResponse<byte[]> send(String method, String path, int maxBytes, Duration timeout)
      throws IOException {
    var request = HttpRequest.newBuilder(URI.create(url(path)));
    authorise(request.method(method, BodyPublishers.noBody()));
    var client = http.build();
    try {
      return client
          .sendAsync(request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxBytes))
          .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no complete answer within " + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      client.shutdownNow();
    }
  }

  /** Cuts a service's text for a message, and puts it on one line. */
  public static String brief(String text) {
    return text.substring(0, Math.min(text.length(), MAX_TEXT)).replaceAll("(?U)\\p{Cntrl}+", " ");
  }

  String url(String path) {
    return endpoint.address().toString().replaceFirst("/$", "") + path;
  }

  private void authorise(HttpRequest.Builder request) {
    var file = endpoint.tokenFile();
    if (file == null) {
      return;
    }
    try {
      request.header("Authorization", "Bearer " + Files.readString(file).strip());
    } catch (IOException e) {
      throw new KubernetesClientException(
          "could not read the token in tokenFile %s: %s".formatted(file, e));
    } catch (IllegalArgumentException e) {
      // Not as the cause: its message contains the token.
      throw new KubernetesClientException(
          "tokenFile %s has a character that no token may have, such as a line break"
              .formatted(file));
    }
  }
}
