package dev.shipshape.packaging;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Predicate;

/** SHA-256 in hexadecimal. */
final class Digests {
  private Digests() {}

  static String of(Path file) throws IOException {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      Files.copy(file, new DigestOutputStream(OutputStream.nullOutputStream(), digest));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns lines for {@code sha256sum --check}. */
  static String sums(Path folder, Predicate<String> wanted) throws IOException {
    var lines = new StringBuilder();
    for (var file : FileTrees.files(folder)) {
      if (wanted.test(file)) {
        lines.append(of(folder.resolve(file))).append("  ").append(file).append('\n');
      }
    }
    return lines.toString();
  }
}
