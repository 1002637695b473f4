package dev.shipshape.certs;

import java.util.Optional;

/**
 * Where a server takes its certificate from: made in memory at start, kept in a folder, or kept by
 * somebody else who fills the same place.
 */
@FunctionalInterface
public interface CertificateSource extends AutoCloseable {

  /** The certificate to serve now; an equal one as long as nothing has changed. Cheap. */
  ServingCertificate current();

  /**
   * Why {@link #current} is only a stand-in that nobody trusts; empty once there is a certificate
   * that clients can trust.
   */
  default Optional<String> notReadyReason() {
    return Optional.empty();
  }

  /** How many certificates could not be taken over and were refused. */
  default long refusals() {
    return 0;
  }

  /** Stops following changes; {@link #current} still answers. */
  @Override
  default void close() {}

  /**
   * A source that makes its own authority and one leaf when called, and keeps both in memory only:
   * a restart makes new ones.
   *
   * @param authority issues the leaf
   * @param request the names and the life of the leaf
   */
  static CertificateSource inMemory(Authority authority, ServerRequest request) {
    var certificate =
        new ServingCertificate(authority.issueServer(request), authority.certificate());
    return () -> certificate;
  }
}
