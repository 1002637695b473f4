package dev.shipshape.webhook.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.webhook.memory.Remembered.Forgotten;
import dev.shipshape.webhook.memory.Remembered.Invalid;
import dev.shipshape.webhook.memory.Remembered.Origin;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The book as a ConfigMap's data: an entry of JSON in one line for each record. */
final class BookText {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String STATE = "state";
  private static final String INVALID = "invalid";
  private static final String SUSPECTED = "suspected";
  private static final String FORGOTTEN = "forgotten";
  private static final String PROVISIONED = "provisioned";

  private BookText() {}

  /** Reads data that anybody may have edited: what is no record is kept as it is. */
  static Book read(Map<String, String> data) {
    var records = new HashMap<Key, Remembered>();
    var unreadable = new HashMap<String, String>();
    data.forEach(
        (key, value) -> {
          try {
            var record = record(Key.parse(key), MAPPER.readTree(value));
            records.put(record.key(), record);
          } catch (JsonProcessingException | DateTimeException | IllegalArgumentException e) {
            unreadable.put(key, value);
          }
        });
    return new Book(records, unreadable);
  }

  static Map<String, String> write(Book book) {
    var data = new TreeMap<>(book.unreadable());
    book.records().forEach((key, record) -> data.put(key.toString(), write(record)));
    return data;
  }

  static String write(Remembered record) {
    var json = JsonNodeFactory.instance.objectNode();
    switch (record) {
      case Invalid invalid -> {
        json.put(STATE, invalid.suspected() ? SUSPECTED : INVALID);
        json.put("at", invalid.at().toString()).put("since", invalid.since().toString());
        json.put("kind", invalid.origin().kind());
        if (!invalid.origin().namespace().isEmpty()) {
          json.put("namespace", invalid.origin().namespace());
        }
        json.put("name", invalid.origin().name()).put("uid", invalid.origin().uid());
        var nodes = json.putObject("nodes");
        invalid.failures().forEach((node, at) -> nodes.put(node, at.toString()));
        json.put("by", invalid.by()).put("reason", invalid.reason());
        if (invalid.heldSecrets()) {
          json.put("secrets", true);
        }
      }
      case Forgotten forgotten ->
          json.put(STATE, forgotten.byHand() ? FORGOTTEN : PROVISIONED)
              .put("at", forgotten.at().toString())
              .put("since", forgotten.since().toString())
              .put("by", forgotten.by());
    }
    return json.toString();
  }

  private static Remembered record(Key key, JsonNode json) {
    var at = Instant.parse(required(json, "at"));
    var since = Instant.parse(required(json, "since"));
    var state = required(json, STATE);
    return switch (state) {
      case INVALID, SUSPECTED ->
          new Invalid(
              key,
              new Origin(
                  json.path("kind").asText(),
                  json.path("namespace").asText(),
                  required(json, "name"),
                  json.path("uid").asText()),
              failures(json.path("nodes")),
              since,
              json.path("by").asText(),
              json.path("reason").asText(),
              state.equals(SUSPECTED),
              json.path("secrets").asBoolean());
      case FORGOTTEN -> new Forgotten(key, at, since, true, json.path("by").asText());
      case PROVISIONED -> new Forgotten(key, at, since, false, json.path("by").asText());
      default -> throw new IllegalArgumentException("no such state: " + state);
    };
  }

  private static SortedMap<String, Instant> failures(JsonNode nodes) {
    var failures = new TreeMap<String, Instant>();
    nodes
        .properties()
        .forEach(node -> failures.put(node.getKey(), Instant.parse(node.getValue().asText())));
    if (failures.isEmpty()) {
      throw new IllegalArgumentException("must have nodes, with the time of each failure");
    }
    return failures;
  }

  private static String required(JsonNode json, String field) {
    if (!json.path(field).isTextual()) {
      throw new IllegalArgumentException("must have the text " + field);
    }
    return json.path(field).textValue();
  }
}
