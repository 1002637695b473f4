package dev.shipshape.webhook.identity;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A SHA-256 of canonical JSON with the version of the scheme: {@code v1:} and 64 hexadecimal
 * digits. Stored as four numbers to save memory in the index.
 */
public record ConfigHash(long first, long second, long third, long fourth) {
  /** The annotation of an admitted object with the hash of its configuration. */
  public static final String ANNOTATION = "shipshape.dev/config-hash";

  private static final String SCHEME = "v1:";
  private static final int ABBREVIATED_LENGTH = SCHEME.length() + 12;
  private static final Pattern HASH = Pattern.compile("v1:[0-9a-f]{64}");

  public static ConfigHash of(byte[] canonical) {
    return ofDigest(sha256().digest(canonical));
  }

  /**
   * Parses the output of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static ConfigHash parse(String text) {
    if (!HASH.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "not a hash: \"%s\"; must be v1: and 64 lower-case hexadecimal digits".formatted(text));
    }
    return ofDigest(HexFormat.of().parseHex(text, SCHEME.length(), text.length()));
  }

  static ConfigHash ofDigest(byte[] digest) {
    var words = ByteBuffer.wrap(digest);
    return new ConfigHash(words.getLong(), words.getLong(), words.getLong(), words.getLong());
  }

  @Override
  public String toString() {
    var hex = HexFormat.of();
    return SCHEME
        + hex.toHexDigits(first)
        + hex.toHexDigits(second)
        + hex.toHexDigits(third)
        + hex.toHexDigits(fourth);
  }

  /** The scheme and the first 12 digits, for messages. */
  public String abbreviated() {
    return toString().substring(0, ABBREVIATED_LENGTH);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
