package dev.shipshape.webhook.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Where in the review's bytes the stored object is. It is as large as the object and seldom looked
 * at, so it is parsed only when asked for.
 */
public final class OldObject {
  /** No stored object. */
  public static final OldObject NONE = new OldObject(new byte[0], 0, 0);

  private final byte[] review;
  private final int from;
  private final int length;

  OldObject(byte[] review, int from, int length) {
    this.review = review;
    this.from = from;
    this.length = length;
  }

  /** Parses it; a missing node where there is none. */
  public JsonNode read() {
    if (length == 0) {
      return MissingNode.getInstance();
    }
    try {
      return ReviewReader.MAPPER.readTree(review, from, length);
    } catch (IOException e) {
      throw new UncheckedIOException("could not parse the request's oldObject", e);
    }
  }
}
