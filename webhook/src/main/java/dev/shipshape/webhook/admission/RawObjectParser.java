package dev.shipshape.webhook.admission;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.admission.RawObject.Place;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.IOException;
import java.util.HashMap;

/** Finds where an object's members are within a review, and makes a tree of its metadata alone. */
final class RawObjectParser {
  /** The API server takes 256 KiB of annotations. */
  private static final int MOST_METADATA = 20_000;

  private final byte[] body;

  RawObjectParser(byte[] body) {
    this.body = body;
  }

  /** Takes the object that the parser is at, to its end; none where that is null. */
  RawObject read(JsonParser parser, String field) throws IOException, MalformedReview {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return RawObject.NONE;
    }
    var places = new HashMap<String, Place>();
    var head = JsonNodeFactory.instance.objectNode();
    var before = parser.currentTokenCount();
    var whole =
        place(
            parser,
            () ->
                ReviewParser.members(
                    parser,
                    field,
                    (at, member) -> places.put(member, objectMember(at, member, head))));
    var tokens = (int) (parser.currentTokenCount() - before);
    return new RawObject(
        body, whole, tokens, places, head, JsonLimits.problem(field, whole.length(), tokens));
  }

  private Place objectMember(JsonParser parser, String member, ObjectNode head)
      throws IOException, MalformedReview {
    return place(
        parser,
        () -> {
          if (member.equals("metadata") && parser.currentToken() == JsonToken.START_OBJECT) {
            head.set(member, metadata(parser));
          } else {
            parser.skipChildren();
          }
        });
  }

  /** Managed fields may be as large as the rest of the object, and say nothing here. */
  private ObjectNode metadata(JsonParser parser) throws IOException, MalformedReview {
    var metadata = JsonNodeFactory.instance.objectNode();
    ReviewParser.members(
        parser,
        "metadata",
        (at, member) -> {
          if (at.currentToken().isScalarValue()) {
            metadata.set(member, JsonLimits.MAPPER.readTree(at));
            return;
          }
          var before = at.currentTokenCount();
          var place = place(at, at::skipChildren);
          if (member.equals("managedFields")) {
            return;
          }
          if (at.currentTokenCount() - before > MOST_METADATA) {
            throw new MalformedReview(
                "metadata.%s has more than %d names and values".formatted(member, MOST_METADATA));
          }
          metadata.set(member, JsonLimits.MAPPER.readTree(body, place.from(), place.length()));
        });
    return metadata;
  }

  /** Reads one value to its end. */
  @FunctionalInterface
  private interface Value {
    void read() throws IOException, MalformedReview;
  }

  private static Place place(JsonParser parser, Value value) throws IOException, MalformedReview {
    var from = (int) parser.currentTokenLocation().getByteOffset();
    value.read();
    parser.finishToken();
    return new Place(from, (int) parser.currentLocation().getByteOffset() - from);
  }
}
