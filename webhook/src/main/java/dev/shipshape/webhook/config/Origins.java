package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/**
 * The link from an object to the objects that it was generated from.
 *
 * @param annotation maps each section of the object to {@code KIND/NAME}, JSON
 * @param group the API group of these kinds
 * @param version the API version of these kinds
 */
public record Origins(String annotation, String group, String version) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Limits how many objects get Events. */
  private static final int MAX_ORIGINS = 20;

  public record Origin(String kind, String name) {}

  /** Returns at most {@value #MAX_ORIGINS} origins; none if the annotation is malformed. */
  public List<Origin> of(JsonNode object) {
    try {
      return MAPPER
          .readTree(object.at("/metadata/annotations").path(annotation).asText())
          .valueStream()
          .map(JsonNode::asText)
          .filter(text -> text.matches("[A-Za-z0-9]+/[^/]+"))
          .distinct()
          .limit(MAX_ORIGINS)
          .map(text -> text.split("/", -1))
          .map(parts -> new Origin(parts[0], parts[1]))
          .toList();
    } catch (JsonProcessingException e) {
      return List.of();
    }
  }
}
