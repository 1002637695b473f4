package dev.shipshape.plugin;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.service.Leadership;
import dev.shipshape.service.Metrics;
import dev.shipshape.webhook.WebhookServer;
import dev.shipshape.webhook.WebhookSettings;
import dev.shipshape.webhook.certificate.CertificateSettings;
import dev.shipshape.webhook.certificate.FolderCertificates;
import dev.shipshape.webhook.certificate.SelfManagedCertificates;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the webhook's certificate comes from, as the settings say, with what it needs: the election
 * where one replica keeps it, and the metrics that it adds to.
 */
record WebhookCertificates(
    CertificateSource source, PrometheusMeterRegistry registry, @Nullable Leadership leadership)
    implements AutoCloseable {
  /**
   * Opens the source that the settings name.
   *
   * @param inMemory makes a certificate in memory
   * @param client stays the caller's to close
   */
  static WebhookCertificates open(
      Supplier<CertificateSource> inMemory, WebhookSettings settings, KubernetesClient client) {
    var registry = Metrics.registry("webhook");
    var clock = Clock.systemUTC();
    return switch (settings.certificates()) {
      case CertificateSettings.InMemory _ ->
          new WebhookCertificates(inMemory.get(), registry, null);
      case CertificateSettings.Files files ->
          new WebhookCertificates(
              FolderCertificates.start(files, client, clock, registry), registry, null);
      case CertificateSettings.SelfManaged own -> {
        var leadership = leadership(client);
        yield new WebhookCertificates(
            SelfManagedCertificates.start(own, client, leadership::isLeader, clock, registry),
            registry,
            leadership);
      }
    };
  }

  private static Leadership leadership(KubernetesClient client) {
    var namespace = Objects.requireNonNullElse(client.getNamespace(), "default");
    var leadership = new Leadership(client, namespace, WebhookServer.LEASE);
    leadership.stand();
    return leadership;
  }

  /** Whether this replica leads; null where nobody was elected for the certificates. */
  @Nullable BooleanSupplier elected() {
    return leadership == null ? null : leadership::isLeader;
  }

  @Override
  public void close() {
    source.close();
    if (leadership != null) {
      leadership.close();
    }
  }
}
