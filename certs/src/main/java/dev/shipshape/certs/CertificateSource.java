package dev.shipshape.certs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The source of a server's certificate: created in memory, or read from a folder or a Secret. */
@FunctionalInterface
public interface CertificateSource extends AutoCloseable {

  /** Returns the certificate to serve now; an equal one while nothing has changed. Cheap. */
  ServingCertificate current();

  /** Returns why {@link #current} is only a placeholder; empty once a certificate is loaded. */
  default Optional<String> notReadyReason() {
    return Optional.empty();
  }

  /** Stops following changes, if the source does so by itself; {@link #current} still works. */
  @Override
  default void close() {}

  /** Returns a source with a leaf that is issued now and is only in memory. */
  static CertificateSource inMemory(
      Authority authority, String commonName, List<String> names, Duration life) {
    var certificate =
        new ServingCertificate(
            authority.issueServer(commonName, names, life), authority.certificate());
    return () -> certificate;
  }
}
