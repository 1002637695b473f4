package dev.shipshape.demo;

import dev.shipshape.certs.Authority;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServerRequest;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.WebhookServer;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The webhook as the demo runs it: a certificate of its own, and the rights that it needs. */
final class DemoWebhook implements AutoCloseable {
  private static final Duration LIFE = Duration.ofDays(1);

  private final KubernetesClient client;
  private final WebhookServer server;
  private final CertificateSource certificates;
  private final HttpClient http = HttpClient.newHttpClient();

  private DemoWebhook(
      KubernetesClient client, WebhookServer server, CertificateSource certificates) {
    this.client = client;
    this.server = server;
    this.certificates = certificates;
  }

  static DemoWebhook start(Path kubeconfig, Clock clock) {
    var authority = Authority.create("demo", LIFE, clock);
    var certificates =
        CertificateSource.inMemory(
            authority, new ServerRequest("webhook", List.of("127.0.0.1"), LIFE));
    var client = ApiConnection.open(kubeconfig, null);
    return new DemoWebhook(
        client, WebhookServer.start(settings(), certificates, client), certificates);
  }

  /** Whether it has listed all that it must know. */
  boolean isReady() {
    return server.notReadyReason().isEmpty();
  }

  /** Whether the record of an invalid configuration has reached it. */
  boolean knowsAnInvalidConfig() {
    return metrics()
        .lines()
        .anyMatch(line -> line.matches("shipshape_webhook_index_known_invalid\\{.*} 1(\\.0)?"));
  }

  int port() {
    return server.port();
  }

  /** The {@code caBundle} of a webhook configuration. */
  String caBundle() {
    var bundle = certificates.current().bundle().getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(bundle);
  }

  /** What Prometheus would scrape. */
  String metrics() {
    var uri = URI.create("http://127.0.0.1:%d/metrics".formatted(server.managementPort()));
    try {
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new IllegalStateException("could not scrape " + uri, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while scraping " + uri, e);
    }
  }

  @Override
  public void close() {
    http.close();
    server.close();
    client.close();
  }

  private static WebhookSettings settings() {
    try {
      return WebhookSettings.parse("webhook.yaml", Resources.read("webhook.yaml", Map.of()));
    } catch (BadSettings e) {
      throw new IllegalStateException("the demo's own settings are wrong", e);
    }
  }
}
