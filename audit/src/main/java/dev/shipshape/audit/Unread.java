package dev.shipshape.audit;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.regex.Pattern;

/**
 * A record of a log that could not be read.
 *
 * @param line from 1
 * @param what its form, or what is wrong with it
 */
public record Unread(long line, String what) {
  private static final int NAMED_FIELDS = 4;
  private static final int SHOWN = 60;
  private static final Pattern WORDS = Pattern.compile("(?:-{0,2}[A-Za-z][A-Za-z-]{0,14} ){2,6}");

  static Unread of(long line, String fault, byte[] bytes, int from, int to) {
    return new Unread(line, fault.isEmpty() ? describe(bytes, from, to) : fault);
  }

  private static String describe(byte[] bytes, int from, int to) {
    if (to - from > 1 && (bytes[from] & bytes[from + 1] & 0xfe) == 0xfe) {
      return "is UTF-16: convert it to UTF-8";
    }
    var fields = fields(bytes, from, to);
    if (!fields.isEmpty()) {
      return "is JSON without an audit event: " + String.join(", ", fields);
    }
    var text = new String(bytes, from, Math.min(to - from, SHOWN), StandardCharsets.UTF_8).strip();
    if (text.indexOf('\0') >= 0 || text.indexOf('\ufffd') >= 0) {
      return "is binary";
    }
    // Only words: a line may be the rest of a Secret, so values are not quoted.
    var words = WORDS.matcher(text);
    return words.lookingAt() ? "is text: " + words.group().strip() + " ..." : "is text";
  }

  /** Returns the names of the first fields of an object or of a list of objects. */
  private static ArrayList<String> fields(byte[] bytes, int from, int to) {
    var fields = new ArrayList<String>();
    try (var json = Json.MAPPER.getFactory().createParser(bytes, from, to - from)) {
      var token = json.nextToken();
      if (token == JsonToken.START_ARRAY) {
        token = json.nextToken();
      }
      while (token == JsonToken.START_OBJECT
          && fields.size() < NAMED_FIELDS
          && json.nextToken() == JsonToken.FIELD_NAME) {
        fields.add(json.currentName());
        json.nextToken();
        json.skipChildren();
      }
    } catch (IOException e) {
      // What was read so far is enough.
    }
    return fields;
  }
}
