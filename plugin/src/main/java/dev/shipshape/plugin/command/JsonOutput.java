package dev.shipshape.plugin.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Instant;

/** Records as JSON for programs. */
final class JsonOutput {
  private JsonOutput() {}

  /** A record's fields by their names; times as in ISO 8601, enums as they print themselves. */
  static JsonNode of(Record value) {
    return new ObjectMapper()
        .registerModule(
            new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
        .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
        .valueToTree(value);
  }
}
