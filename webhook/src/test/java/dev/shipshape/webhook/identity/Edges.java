package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.Json;
import java.util.List;

/** Values at the edges of what a rule holds for, on both sides. */
final class Edges {
  static final List<String> NETWORKS =
      strings(
          """
          ["10.1.2.3/8", "10.0.0.1", "10.0.0.1/32", "10.0.0.0/255.255.0.0", "10.0.0.0/08",
           "0.0.0.0/0", "255.255.255.255/31", "10.0.0.0/33", "10.0.0.01/8", "256.0.0.0/8",
           "10.0.0/8", "10.0.0.0/", " 10.0.0.0/8", "10.0.0.0/8\\n", "１0.0.0.0/8", "10.0.0.0/٨",
           "2001:DB8::7/32", "2001:0db8::/32", "::/0", "::1/128", "::1", "::1/129", "::1/064",
           "::ffff:10.0.0.1/128", "::ffff:a00:1/128", "::10.0.0.1/96", "::fffe:a00:1/127",
           "1:2:3:4:5:6:7::/112", "::2:3:4:5:6:7:8/15", "1::2:3:4:5:6:7:8/64",
           "1:2:3:4:5:6:7:8/77", "1:2:3:4:5:6:7/64", "00001::/64", "fe80::1%eth0/64", ":1::/64",
           "1::2:/64", "::g/64", "a::b::c/64", ":::/0", "localhost/8", "/8", ""]
          """);

  static final List<String> DURATIONS =
      strings(
          """
          ["90s", "1m30s", "1.5m", "-1m", "+1m", "0", "-0", "+0", "00", "0s", "-0s", "0.0s",
           "1.5ns", "1.50ns", "0.5ns0.5ns", ".5s", "5.s", ".s", "1us", "1µs", "1μs", "1ms",
           "1s1s", "1h1m1s", "1S", "1d", "90", "1h 3m", " 1s", "1s\\n", "١s", "1e3s", "--1s",
           "s", "-", "", "9223372036854775807ns", "123456789012345678h", "1234567890123456789s",
           "0.000000000000000001h", "123456789012345678.123456789012345678h",
           "1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s", "1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s"]
          """);

  static final List<String> MACS =
      strings(
          """
          ["00:00:5E:00:01:aB", "00:00:5e:00:01:ab", "00-00-5E-00-01-AB", "00005E0001AB",
           "x00:00:5E:00:01:AB", "00:00:5E:00:01:AB ", "00:00:5E:00:01:ÀB", "0:0:5E:0:1:AB", ""]
          """);

  /** As they are written: what a parser makes of them is part of the question. */
  static final List<String> NUMBERS =
      strings(
          """
          ["0", "-0", "-0.0", "-1", "1", "2", "9", "10", "1.0", "1e0", "1E2", "100", "1.5",
           "9000.0", "9007199254740993", "9007199254740993.0", "9223372036854775807",
           "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
           "295147905179352825856.0", "1e20", "1e21", "1e23", "333333333.33333329", "1e-6",
           "1.5e-5", "1e-7", "5e-324", "1e-400", "1e400", "-12.50e400"]
          """);

  static final List<String> TEXTS =
      strings(
          """
          ["", "a", "b", "A", "ü", "€", "😀", "\\ud83d", "\\ude00", "\\ufb33", "\\u2028",
           "\\u007f", "\\u0001\\n\\t\\"\\\\/", "0", "null", "[]", "layer3", "false"]
          """);

  static final List<List<String>> SPELLED = List.of(NETWORKS, DURATIONS, MACS, TEXTS);

  private Edges() {}

  private static List<String> strings(String json) {
    return Json.json(json).valueStream().map(JsonNode::textValue).toList();
  }
}
