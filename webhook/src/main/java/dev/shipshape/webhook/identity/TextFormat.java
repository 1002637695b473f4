package dev.shipshape.webhook.identity;

import java.util.Locale;
import java.util.regex.Pattern;

/** A kind of text that has several spellings of one meaning. */
public enum TextFormat {
  /** A MAC address: lower case. */
  MAC,
  /** A network in CIDR form: host bits masked, IPv6 as eight groups without leading zeroes. */
  NETWORK,
  /** A duration as Go writes it: nanoseconds. */
  DURATION;

  private static final Pattern MAC_FORM = Pattern.compile("([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}");

  /** The one spelling; the text itself where it is not of this kind. */
  String canonical(String text) {
    return switch (this) {
      case MAC -> MAC_FORM.matcher(text).matches() ? text.toLowerCase(Locale.ROOT) : text;
      case NETWORK -> Network.canonical(text);
      case DURATION -> GoDuration.canonical(text);
    };
  }
}
