package dev.shipshape.webhook.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SortKeyTest {
  /** As canonical JSON, each before the next one. */
  private static final List<String> ORDERED =
      List.of(
          "false",
          "true",
          "-100000000000000000000",
          "-9223372036854775809",
          "-9223372036854775808",
          "-999999999999999999",
          "-1",
          "0",
          "9",
          "10",
          "999999999999999999",
          "1000000000000000000",
          "9223372036854775807",
          "9223372036854775808",
          "100000000000000000000",
          "\"\"",
          "\"10\"",
          "\"9\"",
          "\"a\"",
          "\"a\\nb\"",
          "\"a b\"",
          "\"a b c d e f\"",
          "\"a b c d e g\"",
          "\"ab\"",
          "\"\u00e4\"",
          // By UTF-16 units; by UTF-8 bytes these two would be the other way round.
          "\"\ud83d\ude00\"",
          "\"\uff5e\"");

  @Test
  void theyAreInTheOrderOfTheirValues() {
    for (var mine = 0; mine < ORDERED.size(); mine++) {
      for (var theirs = 0; theirs < ORDERED.size(); theirs++) {
        assertThat(Integer.signum(compare(ORDERED.get(mine), ORDERED.get(theirs))))
            .as("%s to %s", ORDERED.get(mine), ORDERED.get(theirs))
            .isEqualTo(Integer.compare(mine, theirs));
      }
    }
  }

  @Test
  void absentGoesBeforeAll() {
    for (var written : ORDERED) {
      assertThat(new SortKey.Absent().compareTo(key(new Utf8Buffer(0), written))).isNegative();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "1e+21", "null", "{}", "[]", "-1e+30"})
  void otherValuesAreNone(String written) {
    var out = new Utf8Buffer(0);
    out.ascii(written);

    assertThat(SortKey.read(out, 0, out.size())).isNull();
  }

  private static int compare(String mine, String theirs) {
    var out = new Utf8Buffer(0);
    return key(out, mine).compareTo(key(out, theirs));
  }

  private static SortKey key(Utf8Buffer out, String written) {
    var from = out.size();
    out.append(written.getBytes(UTF_8));
    return requireNonNull(SortKey.read(out, from, out.size()));
  }
}
