package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Where an object says more about what made it invalid. Each is a list of names from the object's
 * top; an empty one where it does not say.
 *
 * @param node the node that it failed on
 * @param why the error
 * @param at the time
 */
public record FailureFields(List<String> node, List<String> why, List<String> at) {
  /** Longer ones are cut: they are told to people. */
  private static final int LONGEST = 300;

  public FailureFields {
    node = List.copyOf(node);
    why = List.copyOf(why);
    at = List.copyOf(at);
  }

  /** What this object says; who recorded it as its metadata says. */
  public FailureDetails of(JsonNode object) {
    var metadata = object.path("metadata");
    return new FailureDetails(
        metadata.path("managedFields").path(0).path("manager").asText(),
        text(object, at),
        text(object, node),
        text(object, why));
  }

  private static String text(JsonNode object, List<String> field) {
    var text = Condition.at(object, field).asText();
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
  }
}
