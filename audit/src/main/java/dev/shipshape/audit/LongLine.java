package dev.shipshape.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** A line that is too long for the memory: its events without their bodies. */
final class LongLine {
  /** Takes each event's JSON. */
  interface Events {
    void accept(byte[] event) throws IOException;
  }

  private LongLine() {}

  /**
   * Reads the events of a line, one after the other.
   *
   * @throws IOException if it is no JSON, or ends too early
   */
  static void read(InputStream line, Events events) throws IOException {
    try (var parser = Json.MAPPER.getFactory().createParser(line)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        object(parser, events);
      }
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "there is more behind the object");
      }
    }
  }

  private static void object(JsonParser parser, Events events) throws IOException {
    var begin = parser.currentTokenLocation().getByteOffset();
    var head = new ByteArrayOutputStream();
    var list = false;
    try (var copy = Json.MAPPER.getFactory().createGenerator(head)) {
      copy.writeStartObject();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        var name = parser.currentName();
        list = list || name.equals("items");
        parser.nextToken();
        member(name, parser, copy, events);
      }
      copy.writeNumberField(
          Field.SHORTENED.path().getLast(), parser.currentLocation().getByteOffset() - begin);
      copy.writeEndObject();
    }
    if (!list) {
      events.accept(head.toByteArray());
    }
  }

  private static void member(String name, JsonParser parser, JsonGenerator copy, Events events)
      throws IOException {
    switch (name) {
      case "requestObject", "responseObject" -> parser.skipChildren();
      case "items" -> {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          object(parser, events);
        }
      }
      default -> {
        copy.writeFieldName(name);
        copy.copyCurrentStructure(parser);
      }
    }
  }
}
