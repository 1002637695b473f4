package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.CertificateFolder;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** The certificate in a folder, and whether the webhook configurations trust it. */
public final class FolderCertificates implements CertificateSource {
  private static final Duration READING = Duration.ofSeconds(5);
  private static final Duration CHECKING = Duration.ofSeconds(30);

  private final CertificateFolder folder;
  private final Rounds reading;
  private final Rounds checking;

  private FolderCertificates(CertificateFolder folder, Rounds reading, Rounds checking) {
    this.folder = folder;
    this.reading = reading;
    this.checking = checking;
  }

  /**
   * Reads the folder, and begins to follow it.
   *
   * @param client stays the caller's to close
   */
  public static FolderCertificates start(
      CertificateSettings.Files settings,
      KubernetesClient client,
      InstantSource clock,
      MeterRegistry registry) {
    var folder = new CertificateFolder(settings.folder(), clock);
    var registrations = new Registrations(client, settings.configurations());
    var trust = new TrustGauge(registry);
    var reading = new Rounds("certificate files", READING, () -> true, folder::look);
    var checking =
        new Rounds(
            "caBundle check",
            CHECKING,
            () -> true,
            () -> trust.look(registrations.read(), folder.current()));
    reading.start();
    checking.start();
    return new FolderCertificates(folder, reading, checking);
  }

  @Override
  public ServingCertificate current() {
    return folder.current();
  }

  @Override
  public Optional<String> missing() {
    return folder.missing();
  }

  @Override
  public long refusals() {
    return folder.refusals();
  }

  @Override
  public void close() {
    reading.close();
    checking.close();
  }
}
