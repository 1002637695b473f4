package dev.shipshape.webhook.identity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {
  private static final int LONGEST = 40;

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x1F, '"', '\\', 0x80, 0xA0, 0xFF})
  void itEndsAtTheFirstByteThatIsNotPlain(int other) {
    for (var length = 0; length < LONGEST; length++) {
      for (var end = 0; end < length; end++) {
        var json = new byte[length];
        Arrays.fill(json, (byte) ' ');
        // What comes behind the first one must not matter.
        Arrays.fill(json, end, length, (byte) other);

        for (var from = 0; from <= end; from++) {
          assertThat(PlainText.end(json, from))
              .as("of %d bytes, from %d", length, from)
              .isEqualTo(end);
        }
      }
    }
  }

  @Test
  void everyOtherByteIsPlain() {
    for (var plain = 0x20; plain < 0x80; plain++) {
      if (plain != '"' && plain != '\\') {
        var json = new byte[LONGEST];
        Arrays.fill(json, (byte) plain);
        json[LONGEST - 1] = '"';

        assertThat(PlainText.end(json, 0)).as("of 0x%x", plain).isEqualTo(LONGEST - 1);
      }
    }
  }

  @Test
  void itIsTheSameAsByteByByte() {
    var random = new Random(1);
    for (var count = 0; count < 20_000; count++) {
      var text = new byte[random.nextInt(LONGEST) + 1];
      random.nextBytes(text);
      if (count % 2 == 0) {
        for (var at = 0; at < text.length; at++) {
          text[at] = (byte) (0x20 + (text[at] & 0x3F));
        }
      }
      text[text.length - 1] = '"';

      assertThat(PlainText.end(text, 0))
          .as("of %s", Arrays.toString(text))
          .isEqualTo(new String(text, ISO_8859_1).split("[^ !#-\\[\\]-\u007f]", 2)[0].length());
    }
  }
}
