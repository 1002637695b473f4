package dev.shipshape.webhook.identity;

import java.util.HexFormat;
import java.util.Locale;

/** A kind of text that has several spellings of one meaning. */
public enum Spelling {
  /** A MAC address: lower case. */
  MAC {
    @Override
    String canonical(String text) {
      return isMac(text) ? text.toLowerCase(Locale.ROOT) : text;
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

  /**
   * Six pairs of hexadecimal digits with colons between. By hand: there is one in every network.
   */
  private static boolean isMac(String text) {
    if (text.length() != MAC_LENGTH) {
      return false;
    }
    for (var at = 0; at < MAC_LENGTH; at++) {
      var unit = text.charAt(at);
      if (at % 3 == 2 ? unit != ':' : !HexFormat.isHexDigit(unit)) {
        return false;
      }
    }
    return true;
  }

  /** The one spelling; the text itself where it is not of this kind. */
  abstract String canonical(String text);
}
