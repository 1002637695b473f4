package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
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

  /**
   * Returns at most {@value #MAX_ORIGINS} origins, without the namespaces, which the annotation
   * does not name; none if it is malformed.
   */
  public List<ObjectReference> of(JsonNode object) {
    try {
      return MAPPER
          .readTree(object.at("/metadata/annotations").path(annotation).asText())
          .valueStream()
          .map(JsonNode::asText)
          .filter(text -> text.matches("[A-Za-z0-9]{1,63}/[^/\\p{Cntrl}]{1,253}"))
          .distinct()
          .limit(MAX_ORIGINS)
          .map(text -> text.split("/", -1))
          .map(
              parts ->
                  new ObjectReferenceBuilder()
                      .withApiVersion(group + "/" + version)
                      .withKind(parts[0])
                      .withName(parts[1])
                      .build())
          .toList();
    } catch (JsonProcessingException e) {
      return List.of();
    }
  }
}
