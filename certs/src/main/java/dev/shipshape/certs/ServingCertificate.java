package dev.shipshape.certs;

/**
 * What a TLS server presents and what its clients must trust.
 *
 * @param pair the leaf and its key
 * @param bundle the authorities to trust, one PEM block each: the {@code caBundle} of a webhook
 *     configuration
 */
public record ServingCertificate(KeyPair pair, String bundle) {}
