package dev.shipshape.webhook.identity;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Networks in CIDR form. Only literal addresses; never queries DNS. */
final class Network {
  private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
  private static final Pattern IPV4 =
      Pattern.compile("(?:%1$s\\.){3}%1$s/(?:3[0-2]|[12]?[0-9])".formatted(BYTE));

  /** At most four digits a group: Go refuses more, while Java accepts further leading zeroes. */
  private static final Pattern IPV6 =
      Pattern.compile("(?:[0-9A-Fa-f]{0,4}:)+[0-9A-Fa-f]{0,4}/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9])");

  /** The longest IPv6 address, with IPv4 at its end, and a prefix length. */
  private static final int MAX_LENGTH =
      "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128".length();

  private Network() {}

  static String canonical(String text) {
    var slash = text.indexOf('/');
    if (slash < 0 || text.length() > MAX_LENGTH) {
      // Users write this text, and the patterns below take quadratic time.
      return text;
    }
    if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
      return text;
    }
    try {
      var bytes = InetAddress.ofLiteral(text.substring(0, slash)).getAddress();
      // An IPv4-mapped address is not changed.
      return text.contains(":") && bytes.length < 16
          ? text
          : masked(bytes, Integer.parseInt(text.substring(slash + 1)));
    } catch (IllegalArgumentException | UnknownHostException e) {
      return text;
    }
  }

  /** Clears the host bits. IPv4 is written in decimal, IPv6 in hexadecimal groups. */
  private static String masked(byte[] address, int length) throws UnknownHostException {
    for (var i = 0; i < address.length; i++) {
      address[i] &= (byte) (0xff00 >> Math.clamp(length - (long) i * Byte.SIZE, 0, Byte.SIZE));
    }
    return InetAddress.getByAddress(address).getHostAddress() + "/" + length;
  }
}
