package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in hexadecimal. */
final class Digests {
  private Digests() {}

  static String of(byte[] bytes) {
    return hexadecimal(sha256().digest(bytes));
  }

  static String of(Path file) throws IOException {
    return of(Files.readAllBytes(file));
  }

  static String hexadecimal(byte[] digest) {
    return HexFormat.of().formatHex(digest);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
