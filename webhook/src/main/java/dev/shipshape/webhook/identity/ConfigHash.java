package dev.shipshape.webhook.identity;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** A SHA-256 of canonical JSON: {@code v1:}, the scheme's version, and 64 hexadecimal digits. */
public record ConfigHash(String text) {
  /** The annotation of an admitted object with the hash of its configuration. */
  public static final String ANNOTATION = "shipshape.dev/config-hash";

  private static final int ABBREVIATED_LENGTH = "v1:".length() + 12;
  private static final Pattern HASH = Pattern.compile("v1:[0-9a-f]{64}");

  public static ConfigHash of(byte[] canonical) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(canonical);
      return new ConfigHash("v1:" + HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Throws IllegalArgumentException if the text has another form. */
  public static ConfigHash parse(String text) {
    if (!HASH.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "not a hash: \"%s\"; must be v1: and 64 lower-case hexadecimal digits".formatted(text));
    }
    return new ConfigHash(text);
  }

  @Override
  public String toString() {
    return text;
  }

  /** The scheme and the first 12 digits, for messages. */
  public String abbreviated() {
    return text.substring(0, ABBREVIATED_LENGTH);
  }
}
