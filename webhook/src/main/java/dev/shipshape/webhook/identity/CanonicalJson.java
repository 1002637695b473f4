package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Writes JSON in the canonical form of RFC 8785: members sorted by UTF-16 code units, no white
 * space, shortest numbers and escapes.
 *
 * <p>The RFC does not define a form for all JSON. Here, integers beyond 2^53 are written in full
 * (rounding would make two different values equal), numbers beyond the range of a double as they
 * were given, and lone surrogates as escapes.
 */
public final class CanonicalJson {
  private static final int INITIAL_SIZE = 16 * 1024;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .build();

  private CanonicalJson() {}

  /** Returns UTF-8. */
  public static byte[] write(JsonNode value) {
    var bytes = new ByteArrayOutputStream(INITIAL_SIZE);
    try (var out = FACTORY.createGenerator(bytes)) {
      write(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonNode value, JsonGenerator out) throws IOException {
    switch (value.getNodeType()) {
      case OBJECT -> {
        out.writeStartObject();
        // The order of String is that of UTF-16 code units.
        for (var member : value.properties().stream().sorted(Map.Entry.comparingByKey()).toList()) {
          out.writeFieldName(member.getKey());
          write(member.getValue(), out);
        }
        out.writeEndObject();
      }
      case ARRAY -> {
        out.writeStartArray();
        for (var element : value) {
          write(element, out);
        }
        out.writeEndArray();
      }
      case STRING -> out.writeString(value.textValue());
      case NUMBER -> out.writeNumber(CanonicalNumber.of(value));
      case BOOLEAN -> out.writeBoolean(value.booleanValue());
      case NULL, MISSING -> out.writeNull();
      case BINARY, POJO ->
          throw new IllegalArgumentException("not a JSON value: " + value.getNodeType());
    }
  }
}
