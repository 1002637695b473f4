package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.CertificateFolder;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.service.PeriodicTask;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The certificate in a folder, and whether the webhook configurations trust it. */
public final class FolderCertificates implements CertificateSource {
  private static final Duration READING = Duration.ofSeconds(5);

  private final CertificateFolder folder;
  private final PeriodicTask task;

  private FolderCertificates(CertificateFolder folder, PeriodicTask task) {
    this.folder = folder;
    this.task = task;
  }

  /**
   * Reads the folder, and begins to follow it.
   *
   * @param configurations stay the caller's to close
   */
  public static FolderCertificates start(
      CertificateSettings.Files settings,
      WebhookConfigurations configurations,
      InstantSource clock,
      MeterRegistry registry) {
    var folder = new CertificateFolder(settings.folder(), clock);
    var gauges = new ConfigurationGauges(registry);
    var task =
        PeriodicTask.start(
            "certificate files",
            READING,
            () -> {
              folder.refresh();
              gauges.look(configurations.known().orElse(List.of()), folder.current());
            });
    configurations.onChange(task::soon);
    return new FolderCertificates(folder, task);
  }

  @Override
  public ServingCertificate current() {
    return folder.current();
  }

  @Override
  public Optional<String> notReadyReason() {
    return folder.notReadyReason();
  }

  @Override
  public long refusals() {
    return folder.refusals();
  }

  @Override
  public void close() {
    task.close();
  }
}
