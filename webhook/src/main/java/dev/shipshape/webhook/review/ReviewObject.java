package dev.shipshape.webhook.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.identity.Identity;
import dev.shipshape.webhook.identity.RepeatedMember;
import java.io.IOException;
import java.util.Map;

/**
 * An object within a review's bytes. It may be megabytes, of which most calls need a few lines and
 * a hash: so it is known where its members are, and only what is asked for is parsed.
 */
public final class ReviewObject {
  /** No object. */
  public static final ReviewObject NONE =
      new ReviewObject(new byte[0], Place.NOWHERE, Map.of(), JsonNodeFactory.instance.objectNode());

  /** Where a value is within the review. */
  record Place(int from, int length) {
    static final Place NOWHERE = new Place(0, 0);
  }

  private final byte[] review;
  private final Place whole;
  private final Map<String, Place> members;
  private final ObjectNode head;

  ReviewObject(byte[] review, Place whole, Map<String, Place> members, ObjectNode head) {
    this.review = review;
    this.whole = whole;
    this.members = Map.copyOf(members);
    this.head = head;
  }

  /** Whether there is one. */
  public boolean exists() {
    return whole.length() > 0;
  }

  /** The object with its metadata alone, and of these without the managed fields. */
  public JsonNode head() {
    return head;
  }

  /** The object's hash, without a tree. The same as that of {@link #read}. */
  public ConfigHash hash(Identity identity) {
    var content = members.getOrDefault(identity.content(), Place.NOWHERE);
    try {
      return identity.hashContent(review, content.from(), content.length());
    } catch (RepeatedMember e) {
      throw new UnreadableObject(e);
    }
  }

  /** Parses all of it; a missing node where there is none. */
  public JsonNode read() {
    if (!exists()) {
      return MissingNode.getInstance();
    }
    try {
      return ReviewReader.MAPPER.readTree(review, whole.from(), whole.length());
    } catch (IOException e) {
      throw new UnreadableObject(e);
    }
  }
}
