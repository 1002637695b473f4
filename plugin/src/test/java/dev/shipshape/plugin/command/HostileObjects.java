package dev.shipshape.plugin.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Objects that cost more than they are worth. */
final class HostileObjects {
  private static final int TEXT = 13 << 19;

  /** What is of the right size all the same, so that it is judged as any other. */
  static final Set<String> WITHIN_BOUNDS =
      Set.of("30,000 member names", "a text of 1.4 MB", "60,000 items to sort");

  private HostileObjects() {}

  /** What a review may bring, by what it is: each the members of an object beside its name. */
  static Map<String, String> ofReviews() {
    var objects = new LinkedHashMap<String, String>();
    objects.put("a million empty objects", millionEmptyObjects());
    // Short enough not to wait for others.
    objects.put("170,000 empty objects", layer2(list(170_000, at -> "{}")));
    objects.put("two million numbers", layer2(list(2_000_000, at -> "7")));
    objects.put(
        "300,000 one-member objects", layer2(list(300_000, at -> "{\"id\":%d}".formatted(at))));
    objects.put("nesting of 100,000", layer2("[".repeat(100_000) + "]".repeat(100_000)));
    objects.put("200,000 member names", "\"spec\":" + members(200_000));
    objects.put("200,000 members at the top", members(200_000).replaceAll("[{}]", ""));
    objects.put("a number of a million digits", layer2("[" + "7".repeat(1_000_000) + "]"));
    objects.put("1e999999999", layer2("[1e999999999]"));
    objects.put("a text of 6.5 MiB", layer2("\"" + "x".repeat(TEXT) + "\""));
    objects.put("6.5 MiB of escapes", layer2("\"" + "\\u00e9".repeat(TEXT / 6) + "\""));
    objects.put("6.5 MiB of line ends", layer2("\"" + "\\n".repeat(TEXT / 2) + "\""));
    objects.put("400,000 items to sort", layer2(list(400_000, at -> "{\"id\":" + -at + "}")));
    objects.put(
        "100,000 annotations", "\"metadata\":{\"annotations\":%s}".formatted(members(100_000)));
    objects.put(
        "one broken in the middle",
        layer2(list(100_000, at -> at == 50_000 ? "{]" : "{\"id\":1}")));
    return objects;
  }

  static String millionEmptyObjects() {
    return layer2(list(1_000_000, at -> "{}"));
  }

  /** What the API server would store of it, below etcd's 1.5 MiB. */
  static Map<String, String> ofStorage() {
    var objects = new LinkedHashMap<String, String>();
    objects.put("480,000 empty objects", layer2(list(480_000, at -> "{}")));
    objects.put("700,000 numbers", layer2(list(700_000, at -> "7")));
    objects.put(
        "100,000 one-member objects", layer2(list(100_000, at -> "{\"id\":%d}".formatted(at))));
    objects.put("60,000 items to sort", layer2(list(60_000, at -> "{\"id\":%d}".formatted(-at))));
    objects.put("nesting of 5,000", layer2("[".repeat(5_000) + "]".repeat(5_000)));
    objects.put("30,000 member names", "\"spec\":" + members(30_000));
    objects.put("a text of 1.4 MB", layer2("\"" + "x".repeat(1_400_000) + "\""));
    objects.put("a name of 1 MB", "\"spec\":{\"" + "x".repeat(1_000_000) + "\":1}");
    objects.put(
        "a status of many", "\"status\":{\"list\":%s}".formatted(list(480_000, at -> "{}")));
    return objects;
  }

  private static String layer2(String value) {
    return "\"spec\":{\"layer2\":%s}".formatted(value);
  }

  private static String list(int count, IntFunction<String> item) {
    return IntStream.range(0, count).mapToObj(item).collect(Collectors.joining(",", "[", "]"));
  }

  /** Names in no order. */
  private static String members(int count) {
    return IntStream.range(0, count)
        .mapToObj(at -> "\"m%d\":\"\"".formatted((long) at * 7_919 % count))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
