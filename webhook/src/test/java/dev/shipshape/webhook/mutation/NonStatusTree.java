package dev.shipshape.webhook.mutation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.identity.ConfigHash;

/** The hash of an object that holds no secrets, to be compared with what a stored one says. */
public final class NonStatusTree {
  private NonStatusTree() {}

  public static ConfigHash of(JsonNode object) {
    return NonStatusHash.of(object, null);
  }
}
