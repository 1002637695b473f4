package dev.shipshape.webhook.identity;

import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Networks in CIDR form. Never asks a name server: only literal addresses are looked at. */
final class Network {
  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
  private static final Pattern IPV4 =
      Pattern.compile("(%1$s\\.){3}%1$s/(3[0-2]|[12]?[0-9])".formatted(BYTE));

  /** With at most four digits a group: Go refuses more, where Java does without leading zeroes. */
  private static final Pattern IPV6 =
      Pattern.compile("((?:[0-9A-Fa-f]{0,4}:)+[0-9A-Fa-f]{0,4})/(12[0-8]|1[01][0-9]|[1-9]?[0-9])");

  /** The longest IPv6 address, with IPv4 at its end, and a length: more is none. */
  private static final int LONGEST = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128".length();

  private Network() {}

  static String canonical(String text) {
    if (text.length() > LONGEST) {
      // Users write this text, and the patterns below take quadratic time.
      return text;
    }
    var slash = text.indexOf('/');
    if (IPV4.matcher(text).matches()) {
      var bytes = Inet4Address.ofLiteral(text.substring(0, slash)).getAddress();
      return masked(bytes, Integer.parseInt(text.substring(slash + 1)), ".", 8, 10);
    }
    if (!IPV6.matcher(text).matches()) {
      return text;
    }
    try {
      var bytes = Inet6Address.ofLiteral(text.substring(0, slash)).getAddress();
      // IPv4 in IPv6's clothes: left alone rather than guessed.
      return bytes.length == 16
          ? masked(bytes, Integer.parseInt(text.substring(slash + 1)), ":", 16, 16)
          : text;
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  /** Without host bits, in groups of so many bits each, to this base. */
  private static String masked(byte[] bytes, int length, String between, int group, int base) {
    var bits = bytes.length * Byte.SIZE;
    var host = BigInteger.ONE.shiftLeft(bits - length).subtract(BigInteger.ONE);
    var network = new BigInteger(1, bytes).andNot(host);
    var text = new StringJoiner(between, "", "/" + length);
    for (var shift = bits - group; shift >= 0; shift -= group) {
      text.add(Integer.toString(network.shiftRight(shift).intValue() & (1 << group) - 1, base));
    }
    return text.toString();
  }
}
