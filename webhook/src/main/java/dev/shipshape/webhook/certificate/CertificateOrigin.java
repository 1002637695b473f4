package dev.shipshape.webhook.certificate;

/** The values of {@code certificates.source}. */
enum CertificateOrigin {
  IN_MEMORY,
  SELF_MANAGED,
  FILES
}
