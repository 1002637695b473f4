package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Bodies of all shapes, at any place within a word of eight bytes. */
class EventParserTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String[] PIECES = {
    "\"", "\\", "\\\\", "{", "}", "[", "]", "#", "]\\", ",", ":", "é", "\n", "x", "a longer text"
  };

  private final EventParser parser = new EventParser();

  @RepeatedTest(500)
  void bodiesEndWhereTheyEnd(RepetitionInfo repetition) {
    var body = body(new Random(repetition.getCurrentRepetition()), 0);
    var event = "{\"responseObject\":%s,\"auditID\":\"a\"}".formatted(body);
    var line = (event + "\n{\"auditID\":\"b\"}\n").getBytes(StandardCharsets.UTF_8);
    var length = event.getBytes(StandardCharsets.UTF_8).length;

    assertThat(parser.parse(line, 0, line.length, false)).as(event).isEqualTo(length);
    assertThat(parser.text(Field.RESPONSE)).isEqualTo(body);
    assertThat(parser.text(Field.AUDIT_ID)).isEqualTo("a");
    for (var cut = 1; cut < length; cut++) {
      assertThat(parser.parse(line, 0, cut, false)).as("%s, cut at %d", event, cut).isEqualTo(-1);
      var end = line[cut];
      line[cut] = '\n';
      assertThat(parser.parse(line, 0, line.length, false)).as("%s, %d", event, cut).isNegative();
      line[cut] = end;
    }
  }

  private static String body(Random random, int depth) {
    var text = new StringBuilder("{");
    for (var i = random.nextInt(4); i >= 0; i--) {
      text.append(text(random)).append(random.nextInt(5) == 0 ? ":\t" : ":");
      switch (depth < 4 ? random.nextInt(5) : 0) {
        case 0 -> text.append(text(random));
        case 1 -> text.append("[").append(body(random, depth + 1)).append(",{},[[],-1.5e3]]");
        case 2 -> text.append("true");
        default -> text.append(body(random, depth + 1));
      }
      text.append(i == 0 ? "" : ",");
    }
    return text.append("}").toString();
  }

  private static String text(Random random) {
    var text = new StringBuilder();
    for (var i = random.nextInt(6); i > 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return MAPPER.valueToTree(text.toString()).toString();
  }
}
