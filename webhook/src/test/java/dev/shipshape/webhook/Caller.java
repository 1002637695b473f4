package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ClientContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;

/** Calls a webhook's HTTPS port, with connections that are kept, as the API server does. */
final class Caller implements AutoCloseable {
  static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

  private final HttpClient http;
  private final int port;

  Caller(SSLContext tls, int port) {
    this.http = HttpClient.newBuilder().sslContext(tls).build();
    this.port = port;
  }

  static Caller of(WebhookServer server, CertificateSource certificates) {
    return new Caller(ClientContext.of(certificates.current().bundle(), null), server.port());
  }

  /** Asks the validating entry. */
  HttpResponse<String> validate(String review) throws IOException, InterruptedException {
    return post("/validate", review);
  }

  HttpResponse<String> post(String path, String review) throws IOException, InterruptedException {
    return post(path, BodyPublishers.ofString(review), JSON);
  }

  HttpResponse<String> post(String path, BodyPublisher body, Map<String, String> headers)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30)).POST(body);
    headers.forEach(request::header);
    return send(request.build());
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, BodyHandlers.ofString());
  }

  private URI uri(String path) {
    var timeout = path.contains("?") ? "" : "?timeout=10s";
    return URI.create("https://127.0.0.1:%d%s%s".formatted(port, path, timeout));
  }

  @Override
  public void close() {
    http.close();
  }
}
