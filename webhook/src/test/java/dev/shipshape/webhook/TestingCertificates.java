package dev.shipshape.webhook;

import dev.shipshape.certs.Authority;
import dev.shipshape.certs.CertificateSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Certificates for a server on 127.0.0.1, of an authority of their own. */
final class TestingCertificates {
  private static final Duration LIFE = Duration.ofDays(1);

  private TestingCertificates() {}

  static CertificateSource forLoopback() {
    return CertificateSource.inMemory(
        Authority.create("test", LIFE, InstantSource.system()),
        "webhook",
        List.of("127.0.0.1"),
        LIFE);
  }
}
