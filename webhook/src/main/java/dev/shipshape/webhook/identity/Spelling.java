package dev.shipshape.webhook.identity;

import java.util.Locale;
import java.util.regex.Pattern;

/** A kind of text that has several spellings of one meaning. */
public enum Spelling {
  /** A MAC address: lower case. */
  MAC {
    @Override
    String canonical(String text) {
      return MAC_FORM.matcher(text).matches() ? text.toLowerCase(Locale.ROOT) : text;
    }

    // By hand: there is one in every network.
    @Override
    boolean isCanonical(byte[] json, int from, int to) {
      if (to - from != MAC_LENGTH) {
        return false;
      }
      for (var at = 0; at < MAC_LENGTH; at++) {
        var unit = json[from + at];
        if (at % 3 == 2 ? unit != ':' : !isLowerHexDigit(unit)) {
          return false;
        }
      }
      return true;
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

  private static final int MAC_LENGTH = "00:00:00:00:00:00".length();
  private static final Pattern MAC_FORM = Pattern.compile("([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}");

  private static boolean isLowerHexDigit(byte unit) {
    return (unit >= '0' && unit <= '9') || (unit >= 'a' && unit <= 'f');
  }

  /**
   * Whether a {@linkplain PlainText plain} text is seen at once to be the one spelling as it
   * stands; otherwise it may be all the same.
   */
  boolean isCanonical(byte[] json, int from, int to) {
    return false;
  }

  /** The one spelling; the text itself where it is not of this kind. */
  abstract String canonical(String text);
}
