package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/**
 * How an object names the objects that it was made of.
 *
 * @param annotation JSON, from each section of the object to {@code KIND/NAME}
 * @param group of these kinds
 * @param version of these kinds
 */
public record Origins(String annotation, String group, String version) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** As many as an object may name to people. */
  private static final int MOST = 20;

  /** An object that another one was made of. */
  public record Origin(String kind, String name) {}

  /** The objects that this one was made of, {@value #MOST} at most; none if it names none. */
  public List<Origin> of(JsonNode object) {
    try {
      return MAPPER
          .readTree(object.at("/metadata/annotations").path(annotation).asText())
          .valueStream()
          .map(JsonNode::asText)
          .filter(text -> text.matches("[A-Za-z0-9]+/[^/]+"))
          .distinct()
          .limit(MOST)
          .map(text -> text.split("/", -1))
          .map(parts -> new Origin(parts[0], parts[1]))
          .toList();
    } catch (JsonProcessingException e) {
      return List.of();
    }
  }
}
