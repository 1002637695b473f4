package dev.shipshape.plugin.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.ReportJson;

/** Records as JSON for programs. */
final class JsonOutput {
  private JsonOutput() {}

  /** A record's fields by their names; times as in ISO 8601, enums in lower case. */
  static JsonNode of(Record value) {
    return ReportJson.MAPPER.valueToTree(value);
  }
}
