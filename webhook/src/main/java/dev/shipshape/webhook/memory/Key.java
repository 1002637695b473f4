package dev.shipshape.webhook.memory;

import dev.shipshape.webhook.identity.ConfigHash;
import java.util.regex.Pattern;

/**
 * A configuration of one guard. As the ConfigMap's keys have it: {@code v1.HEX.GUARD}.
 *
 * @param guard the guard's name
 */
public record Key(String guard, ConfigHash hash) {
  private static final Pattern WRITTEN = Pattern.compile("v1\\.([0-9a-f]{64})\\.(.+)");

  /**
   * Reads what {@link #toString} writes.
   *
   * @throws IllegalArgumentException where the text is anything else
   */
  static Key parse(String text) {
    var written = WRITTEN.matcher(text);
    if (!written.matches()) {
      throw new IllegalArgumentException("the key must be v1.HASH.GUARD");
    }
    return new Key(written.group(2), ConfigHash.parse("v1:" + written.group(1)));
  }

  @Override
  public String toString() {
    return hash.toString().replace(':', '.') + "." + guard;
  }
}
