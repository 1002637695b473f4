package dev.shipshape.webhook.admission;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.identity.Identity;
import dev.shipshape.webhook.identity.JsonLimits;
import dev.shipshape.webhook.identity.ObjectDigest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An object within a review's bytes. It may be megabytes, of which a call needs a few lines and a
 * hash: so it is known where its members are, and only its metadata become a tree.
 */
public final class RawObject {
  private static final String METADATA = "metadata";

  /** No object. */
  public static final RawObject NONE =
      new RawObject(
          new byte[0], Place.NOWHERE, 0, Map.of(), JsonNodeFactory.instance.objectNode(), null);

  /** Where a value is within the review. */
  record Place(int from, int length) {
    static final Place NOWHERE = new Place(0, 0);
  }

  private final byte[] review;
  private final Place whole;
  private final int tokens;
  private final Map<String, Place> members;
  private final ObjectNode head;
  private final @Nullable String problem;

  /**
   * @param problem why nothing but the head can be read; null where all can
   */
  RawObject(
      byte[] review,
      Place whole,
      int tokens,
      Map<String, Place> members,
      ObjectNode head,
      @Nullable String problem) {
    this.review = review;
    this.whole = whole;
    this.tokens = tokens;
    this.members = Map.copyOf(members);
    this.head = head;
    this.problem = problem;
  }

  /** Whether there is one. */
  public boolean exists() {
    return whole.length() > 0;
  }

  /** Whether it can be hashed: not where it is too large. */
  public boolean isReadable() {
    return problem == null;
  }

  /** How many bytes it has. */
  public int bytes() {
    return whole.length();
  }

  /** How many names, values and brackets it has. */
  public int tokens() {
    return tokens;
  }

  /** The object with its metadata alone, and of these without the managed fields. */
  public JsonNode head() {
    return head;
  }

  /** Whether it has this member, other than null. */
  public boolean has(String member) {
    var place = place(member);
    return place.length() > 0 && review[place.from()] != 'n';
  }

  /** Whether another object has this member, byte for byte: of what is too large, too. */
  public boolean sharesMember(String member, RawObject other) {
    var mine = place(member);
    var theirs = other.place(member);
    return Arrays.equals(
        review,
        mine.from(),
        mine.from() + mine.length(),
        other.review,
        theirs.from(),
        theirs.from() + theirs.length());
  }

  /** The object's hash. */
  public ConfigHash hash(Identity identity) {
    var content = place(identity.content());
    return read(() -> identity.hashContent(review, content.from(), content.length()));
  }

  /** Whether it holds something at a place of a secret, which no hash of it shows. */
  public boolean holdsSecrets(Identity identity) {
    var content = place(identity.content());
    return read(() -> identity.holdsSecrets(review, content.from(), content.length()));
  }

  /** The hash of one member's value, as it is. */
  public ConfigHash hashOf(String member) {
    var place = place(member);
    return read(() -> ConfigHash.of(review, place.from(), place.length()));
  }

  /**
   * The hash of the object with these metadata instead of its own, and without some members.
   *
   * @param secrets of what identity the secrets are left out too; null where there are none
   */
  public ConfigHash hashWith(JsonNode metadata, Set<String> leftOut, @Nullable Identity secrets) {
    var names = new TreeSet<>(members.keySet());
    names.removeAll(leftOut);
    names.add(METADATA);
    return read(
        () -> {
          var digest = new ObjectDigest();
          for (var name : names) {
            var place = place(name);
            if (name.equals(METADATA)) {
              digest.member(name, metadata);
            } else if (secrets != null && name.equals(secrets.content())) {
              digest.content(secrets, review, place.from(), place.length());
            } else {
              digest.member(name, review, place.from(), place.length());
            }
          }
          return digest.finish();
        });
  }

  /** The text or number that these names lead to; empty where there is none. */
  public String text(List<String> field) {
    return field.isEmpty() ? "" : read(() -> text(place(field.getFirst()), field));
  }

  private String text(Place first, List<String> field) throws IOException {
    try (var parser = JsonLimits.FACTORY.createParser(review, first.from(), first.length())) {
      var token = parser.nextToken();
      for (var name : field.subList(1, field.size())) {
        token = enter(parser, name);
      }
      return token != null && token.isScalarValue() ? parser.getText() : "";
    }
  }

  private static @Nullable JsonToken enter(JsonParser parser, String name) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return null;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var isIt = parser.currentName().equals(name);
      var value = parser.nextToken();
      if (isIt) {
        return value;
      }
      parser.skipChildren();
    }
    return null;
  }

  /**
   * Whether another object has the same bytes but for what the API server keeps by itself: managed
   * fields, resource version and status.
   */
  public boolean isWrittenAs(RawObject other) {
    return members.keySet().equals(other.members.keySet())
        && members.keySet().stream()
            .allMatch(
                member ->
                    switch (member) {
                      case "status" -> true;
                      case METADATA -> withoutVersion(head).equals(withoutVersion(other.head));
                      default -> bytes(member).equals(other.bytes(member));
                    });
  }

  private static JsonNode withoutVersion(ObjectNode head) {
    var metadata = (ObjectNode) head.path(METADATA).deepCopy();
    return metadata.without("resourceVersion");
  }

  private ByteBuffer bytes(String member) {
    var place = place(member);
    return ByteBuffer.wrap(review, place.from(), place.length());
  }

  private Place place(String member) {
    return members.getOrDefault(member, Place.NOWHERE);
  }

  private <T> T read(Work<T> work) {
    if (problem != null) {
      throw new UnreadableObject(problem);
    }
    try {
      return work.read();
    } catch (IOException e) {
      throw new UnreadableObject(e);
    }
  }

  @FunctionalInterface
  private interface Work<T> {
    T read() throws IOException;
  }
}
