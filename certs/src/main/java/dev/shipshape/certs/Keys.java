package dev.shipshape.certs;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;

/** Creates and checks key pairs. */
final class Keys {
  private static final int CHALLENGE_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Keys() {}

  static java.security.KeyPair create() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot make P-256 keys", e);
    }
  }

  /** Checks whether two keys, elliptic curve or RSA, are a pair, by a signature. */
  static boolean isPair(PublicKey open, PrivateKey secret) {
    if (!open.getAlgorithm().equals(secret.getAlgorithm())) {
      return false;
    }
    var algorithm = secret.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
    try {
      var challenge = new byte[CHALLENGE_BYTES];
      RANDOM.nextBytes(challenge);
      var signing = Signature.getInstance(algorithm);
      signing.initSign(secret);
      signing.update(challenge);
      var checking = Signature.getInstance(algorithm);
      checking.initVerify(open);
      checking.update(challenge);
      return checking.verify(signing.sign());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
