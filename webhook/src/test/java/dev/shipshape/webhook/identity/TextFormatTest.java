package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextFormatTest {
  @ParameterizedTest
  @CsvSource({
    "10.1.2.3/8, 10.0.0.0/8",
    "255.255.255.255/31, 255.255.255.254/31",
    "10.1.2.3/32, 10.1.2.3/32",
    "10.1.2.3/0, 0.0.0.0/0",
    "2001:DB8::1/64, 2001:db8:0:0:0:0:0:0/64",
    "2001:db8:0:0:ffff::/65, 2001:db8:0:0:8000:0:0:0/65",
    "::/0, 0:0:0:0:0:0:0:0/0",
    "::1/128, 0:0:0:0:0:0:0:1/128"
  })
  void aNetworkHasOneSpelling(String text, String canonical) {
    assertThat(TextFormat.NETWORK.canonical(text)).isEqualTo(canonical);
    assertThat(TextFormat.NETWORK.canonical(canonical)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3",
    "10.1.2/8",
    "10.1.2.03/8",
    "10.1.2.3/33",
    "10.1.2.3/08",
    "256.1.2.3/8",
    "::ffff:1.2.3.4/96",
    "0:0:0:0:0:ffff:102:304/96",
    "2001:db8:::/64",
    "::1/129",
    "00001::/64",
    "2001:0db8:00000::/64",
    "10.1.2.3/255.0.0.0",
    "10.1.2.3/+8",
    "'10.1.2.3/8 '",
    "::1%eth0/128",
    "localhost/8",
    "''"
  })
  void whatIsNoNetworkStaysAsItIs(String text) {
    assertThat(TextFormat.NETWORK.canonical(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "00:00:5E:00:01:aB, 00:00:5e:00:01:ab",
    "00-00-5E-00-01-AB, 00-00-5E-00-01-AB",
    "x00:00:5E:00:01:AB, x00:00:5E:00:01:AB"
  })
  void aMacAddressIsLowerCase(String text, String canonical) {
    assertThat(TextFormat.MAC.canonical(text)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource({
    "90s, 90000000000ns",
    "1m30s, 90000000000ns",
    "1.5m, 90000000000ns",
    "-1h, -3600000000000ns",
    "0, 0ns",
    "0s, 0ns",
    "1us, 1000ns",
    "1\u00b5s, 1000ns",
    "1\u03bcs, 1000ns",
    "1.5ns, 1.5ns",
    "1.50ns, 1.5ns",
    "-0s, 0ns",
    "+.5s, 500000000ns",
    "5.s, 5000000000ns",
    "-0, -0",
    "+0, +0",
    "00, 00",
    "1S, 1S",
    ".s, .s",
    "1234567890123456789s, 1234567890123456789s",
    "90, 90",
    "soon, soon",
    "1h 3m, 1h 3m"
  })
  void aDurationIsNanoseconds(String text, String canonical) {
    assertThat(TextFormat.DURATION.canonical(text)).isEqualTo(canonical);
  }

  @Test
  @Timeout(30)
  void aHugeTextCostsNoTime() {
    var text = ":".repeat(1_000_000) + "x/64";

    assertThat(TextFormat.NETWORK.canonical(text)).isSameAs(text);
  }
}
