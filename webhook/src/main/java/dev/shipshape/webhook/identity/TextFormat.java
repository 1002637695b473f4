package dev.shipshape.webhook.identity;

import java.util.Locale;
import java.util.regex.Pattern;

/** A text format in which one value has several spellings. */
public enum TextFormat {
  /** A MAC address; in lower case. */
  MAC,
  /** A network in CIDR form; host bits cleared, IPv6 as eight groups without leading zeroes. */
  NETWORK,
  /** A Go duration; in nanoseconds. */
  DURATION;

  private static final Pattern MAC_FORM = Pattern.compile("([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}");

  /** Returns the canonical spelling; the text itself if it has another format. */
  String canonical(String text) {
    return switch (this) {
      case MAC -> MAC_FORM.matcher(text).matches() ? text.toLowerCase(Locale.ROOT) : text;
      case NETWORK -> Network.canonical(text);
      case DURATION -> GoDuration.canonical(text);
    };
  }
}
