package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CanonicalJsonTest {
  @Test
  void theStandardsExampleComesOutAsTheStandardHasIt() throws Exception {
    var written =
        canonical(
            """
            {
              "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
              "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
              "literals": [null, true, false]
            }
            """);

    assertThat(written)
        .isEqualTo(
            """
            {"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
            "string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}\
            """);
  }

  @Test
  void membersAreSortedByUtf16CodeUnits() throws Exception {
    var written =
        canonical(
            """
            {"\\u20ac": 1, "\\r": 2, "\\ufb33": 3, "1": 4, "\\ud83d\\ude00": 5, "\\u0080": 6,
             "\\u00f6": 7}
            """);

    assertThat(written)
        .isEqualTo("{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}");
  }

  @Test
  void halfASurrogatePairStaysWhatItIs() throws Exception {
    assertThat(canonical("\"a\\ud83d\"")).isEqualTo("\"a\\ud83d\"");
    assertThat(canonical("\"\\ude00\\ud83d\"")).isEqualTo("\"\\ude00\\ud83d\"");
  }

  private static String canonical(String json) throws Exception {
    return new String(CanonicalJson.write(new JsonMapper().readTree(json)), StandardCharsets.UTF_8);
  }
}
