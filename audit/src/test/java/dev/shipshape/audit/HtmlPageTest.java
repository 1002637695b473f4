package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.sandbox.junit.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlPageTest {
  private static final String HOSTILE = "</script><img src=x onerror=alert(1)><!--\u2028\u2029\"'&";

  @Test
  void forbidsAllThatIsNotInTheFile() throws IOException {
    var sample = SampleEvents.story();
    var page = page(sample.events(), sample.races(), new HtmlPage.Limits(1000, 900_000));

    assertThat(page)
        .contains(
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src"
                + " data:");
    assertThat(page).doesNotContainPattern("(?i)(src|href)\\s*=\\s*[\"']?+(?!data:)");
    assertThat(page).doesNotContainPattern("(?i)https?://|@import|url\\(|fetch\\(|XMLHttpRequest");
    assertThat(page).doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(");
  }

  @Promise(
      value = "Text from a log is never executed in the HTML page.",
      breaks = "Writing it unescaped.")
  @Test
  void keepsHostileTextAsData() throws IOException {
    var empty = page(List.of(), List.of(), new HtmlPage.Limits(10, 100));
    var hostile = "{\"kind\":\"" + HOSTILE.replace("\"", "\\\"") + "\"}";
    var event = SampleEvents.event(HOSTILE, HOSTILE + "\ud800", hostile);
    var race = SampleEvents.race(HOSTILE, event);
    var page = page(List.of(event), List.of(race), new HtmlPage.Limits(10, 10_000));

    assertThat(page).matches("\\p{ASCII}*").doesNotContain("<img");
    assertThat(page.split("<", -1)).hasSameSizeAs(empty.split("<", -1));
    var data = data(page);
    assertThat(data.at("/requests/0/object/name").textValue()).isEqualTo(HOSTILE + "\ud800");
    assertThat(data.at("/requests/0/request").textValue()).isEqualTo(hostile);
    assertThat(data.at("/requests/0/user").textValue()).isEqualTo(HOSTILE);
    assertThat(data.at("/races/0/summary").textValue()).isEqualTo(HOSTILE);
    assertThat(data.at("/races/0/evidence/0").intValue()).isZero();
  }

  @Test
  void saysWhatItLeavesOut() throws IOException {
    var small = SampleEvents.event("a", "small", "{\"a\":1}");
    var large = SampleEvents.event("a", "large", "{\"a\":\"" + "x".repeat(50) + "\"}");
    var race = SampleEvents.race("a", large, small);
    var data =
        data(page(List.of(large, large, small, large), List.of(race), new HtmlPage.Limits(3, 130)));

    assertThat(data.at("/requests")).hasSize(3);
    assertThat(data.at("/total").intValue()).isEqualTo(4);
    assertThat(data.at("/requests/0/request").textValue()).hasSize(58);
    assertThat(data.at("/requests/1/request/0").intValue()).isEqualTo(58);
    assertThat(data.at("/bodiesLeftOut").intValue()).isEqualTo(2);
    assertThat(data.at("/requests/2/request").textValue()).isEqualTo("{\"a\":1}");
  }

  private static String page(List<LoggedRequest> events, List<Race> races, HtmlPage.Limits limits)
      throws IOException {
    var out = new ByteArrayOutputStream();
    HtmlPage.write(out, new ArrayDeque<>(events)::poll, races, limits);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static JsonNode data(String page) throws IOException {
    var data =
        Pattern.compile("<script id=\"data\" type=\"application/json\">(.*?)</script>")
            .matcher(page);
    assertThat(data.find()).isTrue();
    return new ObjectMapper().readTree(data.group(1));
  }
}
