package dev.shipshape.janitor.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;

/** What a person asks for by an annotation or a tag. */
public final class Wish {
  private Wish() {}

  /**
   * Whether it is there and says anything but {@code false}: {@code True}, {@code yes} and nothing
   * at all are meant as a wish too, and who keeps too much does less harm.
   */
  public static boolean isMade(JsonNode value) {
    return !value.isMissingNode() && !value.asText().equalsIgnoreCase("false");
  }
}
