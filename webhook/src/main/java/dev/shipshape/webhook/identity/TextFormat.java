package dev.shipshape.webhook.identity;

import java.util.Locale;
import java.util.regex.Pattern;

/** A kind of text that has several spellings of one meaning. */
public enum TextFormat {
  /** A MAC address: lower case. */
  MAC {
    @Override
    String canonical(String text) {
      var lower = text.toLowerCase(Locale.ROOT);
      return !lower.equals(text) && MAC_FORM.matcher(text).matches() ? lower : text;
    }
  },
  /** A network in CIDR form: host bits masked, IPv6 as eight groups without leading zeroes. */
  NETWORK {
    @Override
    String canonical(String text) {
      return Network.canonical(text);
    }
  },
  /** A duration as Go writes it: nanoseconds. */
  DURATION {
    @Override
    String canonical(String text) {
      return GoDuration.canonical(text);
    }
  };

  private static final Pattern MAC_FORM = Pattern.compile("([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}");

  /** The one spelling; the text itself where it is not of this kind. */
  abstract String canonical(String text);
}
