package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * How an object names the revision that it was made from: by a field that both have with the same
 * value.
 *
 * @param guard the name of the revisions' guard
 * @param field in the object and in the revision
 */
public record RevisionLink(String guard, JsonPointer field) {
  /** The field's text; empty where there is none. */
  public String of(JsonNode object) {
    return object.at(field).asText();
  }
}
