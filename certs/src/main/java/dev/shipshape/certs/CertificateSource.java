package dev.shipshape.certs;

/**
 * Where a server takes its certificate from. Today made in memory at start; a Secret or files can
 * take that place without the server noticing.
 */
@FunctionalInterface
public interface CertificateSource {

  /** The certificate to serve now; the same object as long as nothing has changed. */
  ServingCertificate current();

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
