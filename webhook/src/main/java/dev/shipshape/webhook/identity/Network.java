package dev.shipshape.webhook.identity;

import java.math.BigInteger;
import java.net.Inet6Address;
import java.util.regex.Pattern;

/** Networks in CIDR form. Never asks a name server: only literal addresses are looked at. */
final class Network {
  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
  private static final Pattern IPV4 =
      Pattern.compile("%s\\.%s\\.%s\\.%s/(3[0-2]|[12]?[0-9])".formatted(BYTE, BYTE, BYTE, BYTE));

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
    var four = IPV4.matcher(text);
    if (four.matches()) {
      var address = 0;
      for (var group = 1; group <= 4; group++) {
        address = address << 8 | Integer.parseInt(four.group(group));
      }
      var length = Integer.parseInt(four.group(5));
      return writeFour(length == 0 ? 0 : address & (-1 << (32 - length))) + "/" + length;
    }
    var six = IPV6.matcher(text);
    return six.matches() ? six(text, six.group(1), Integer.parseInt(six.group(2))) : text;
  }

  private static String writeFour(int address) {
    return "%d.%d.%d.%d"
        .formatted(address >>> 24, address >>> 16 & 0xFF, address >>> 8 & 0xFF, address & 0xFF);
  }

  private static String six(String text, String address, int length) {
    byte[] bytes;
    try {
      bytes = Inet6Address.ofLiteral(address).getAddress();
    } catch (IllegalArgumentException e) {
      return text;
    }
    // IPv4 in IPv6's clothes: left alone rather than guessed.
    return bytes.length == 16 ? masked(bytes, length) : text;
  }

  private static String masked(byte[] bytes, int length) {
    var host = BigInteger.ONE.shiftLeft(128 - length).subtract(BigInteger.ONE);
    var network = new BigInteger(1, bytes).andNot(host);
    var groups = new StringBuilder();
    for (var shift = 112; shift >= 0; shift -= 16) {
      groups.append(Integer.toHexString(network.shiftRight(shift).intValue() & 0xFFFF));
      groups.append(shift == 0 ? "/" + length : ":");
    }
    return groups.toString();
  }
}
