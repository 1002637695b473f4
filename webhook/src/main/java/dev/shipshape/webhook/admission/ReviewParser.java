package dev.shipshape.webhook.admission;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pass over one review. What was understood before a problem stays readable, the uid above all:
 * the API server sends it first, so that even a cut-off review can be answered by name.
 */
final class ReviewParser {
  private static final String API_VERSION = "admission.k8s.io/v1";
  private static final String KIND = "AdmissionReview";
  private static final int LONGEST_UID = 256;

  /** Of the review, its objects and their metadata: what is below is not looked at here. */
  private static final int MOST_MEMBERS = 1_000;

  private final byte[] body;
  private final RawObjectParser objects;
  private @Nullable String apiVersion;
  private @Nullable String kind;
  private boolean hasRequest;

  private @Nullable String uid;
  private @Nullable Operation operation;
  private @Nullable GroupVersionResource resource;
  private String subResource = "";
  private String name = "";
  private String namespace = "";
  private String user = "";
  private List<String> groups = List.of();
  private boolean dryRun;
  private RawObject object = RawObject.NONE;
  private RawObject oldObject = RawObject.NONE;

  ReviewParser(byte[] body) {
    this.body = body;
    this.objects = new RawObjectParser(body);
  }

  @Nullable String uid() {
    return uid;
  }

  /** Reads the whole body. */
  void parse() throws IOException, MalformedReview {
    refuseOtherEncodings();
    try (var parser = JsonLimits.FACTORY.createParser(body)) {
      parser.nextToken();
      members(parser, "the body", this::reviewMember);
      if (parser.nextToken() != null) {
        throw new MalformedReview("something follows the AdmissionReview");
      }
    }
    check();
  }

  /** What was read; only after {@link #parse} came to its end. */
  AdmissionRequest request() {
    if (uid == null || operation == null || resource == null) {
      throw new IllegalStateException("not parsed");
    }
    return new AdmissionRequest(
        uid,
        operation,
        resource,
        subResource,
        name,
        namespace,
        user,
        groups,
        dryRun,
        object,
        oldObject);
  }

  /** The parser would take UTF-16 too, in which a byte's place says nothing. */
  private void refuseOtherEncodings() throws MalformedReview {
    for (var at = 0; at < Math.min(4, body.length); at++) {
      if (body[at] == 0) {
        throw new MalformedReview("not UTF-8");
      }
    }
  }

  private void check() throws MalformedReview {
    if (!API_VERSION.equals(apiVersion) || !KIND.equals(kind)) {
      throw new MalformedReview(
          "must be %s %s, is %s %s".formatted(API_VERSION, KIND, apiVersion, kind));
    }
    if (!hasRequest) {
      throw new MalformedReview("request is missing");
    }
    if (uid == null || uid.isEmpty()) {
      throw new MalformedReview("request.uid is missing");
    }
    if (operation == null) {
      throw new MalformedReview("request.operation is missing");
    }
    if (resource == null) {
      throw new MalformedReview("request.resource is missing");
    }
  }

  /** Reads one member's value, whose first token is the current one. */
  @FunctionalInterface
  interface Member {
    void read(JsonParser parser, String name) throws IOException, MalformedReview;
  }

  static void members(JsonParser parser, String place, Member member)
      throws IOException, MalformedReview {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new MalformedReview(place + " must be an object");
    }
    var seen = new HashSet<String>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var name = parser.currentName();
      if (!seen.add(name)) {
        throw new MalformedReview("%s has %s twice".formatted(place, name));
      }
      if (seen.size() > MOST_MEMBERS) {
        throw new MalformedReview("%s has more than %d members".formatted(place, MOST_MEMBERS));
      }
      parser.nextToken();
      member.read(parser, name);
    }
  }

  private void reviewMember(JsonParser parser, String member) throws IOException, MalformedReview {
    switch (member) {
      case "apiVersion" -> apiVersion = text(parser, "apiVersion");
      case "kind" -> kind = text(parser, "kind");
      case "request" -> {
        hasRequest = true;
        members(parser, "request", this::requestMember);
      }
      default -> parser.skipChildren();
    }
  }

  private void requestMember(JsonParser parser, String member) throws IOException, MalformedReview {
    switch (member) {
      case "uid" -> uid = uid(parser);
      case "operation" -> operation = operation(text(parser, "request.operation"));
      case "resource" -> resource = resource(parser);
      case "subResource" -> subResource = text(parser, "request.subResource");
      case "name" -> name = text(parser, "request.name");
      case "namespace" -> namespace = text(parser, "request.namespace");
      case "userInfo" -> members(parser, "request.userInfo", this::userMember);
      case "dryRun" -> dryRun = flag(parser, "request.dryRun");
      case "object" -> object = objects.read(parser, "request.object");
      case "oldObject" -> oldObject = objects.read(parser, "request.oldObject");
      default -> parser.skipChildren();
    }
  }

  private void userMember(JsonParser parser, String member) throws IOException, MalformedReview {
    switch (member) {
      case "username" -> user = text(parser, "request.userInfo.username");
      case "groups" -> groups = texts(parser, "request.userInfo.groups");
      default -> parser.skipChildren();
    }
  }

  private static String uid(JsonParser parser) throws IOException, MalformedReview {
    var text = text(parser, "request.uid");
    if (text.length() > LONGEST_UID) {
      throw new MalformedReview("request.uid is longer than %d characters".formatted(LONGEST_UID));
    }
    return text;
  }

  private static Operation operation(String text) throws MalformedReview {
    for (var operation : Operation.values()) {
      if (operation.name().equals(text)) {
        return operation;
      }
    }
    throw new MalformedReview("request.operation is not known to admission: " + text);
  }

  private static GroupVersionResource resource(JsonParser parser)
      throws IOException, MalformedReview {
    var parts = new String[] {"", "", ""};
    members(
        parser,
        "request.resource",
        (at, member) -> {
          switch (member) {
            case "group" -> parts[0] = text(at, "request.resource.group");
            case "version" -> parts[1] = text(at, "request.resource.version");
            case "resource" -> parts[2] = text(at, "request.resource.resource");
            default -> at.skipChildren();
          }
        });
    if (parts[1].isEmpty() || parts[2].isEmpty()) {
      throw new MalformedReview("request.resource needs version and resource");
    }
    return new GroupVersionResource(parts[0], parts[1], parts[2]);
  }

  private static String text(JsonParser parser, String field) throws IOException, MalformedReview {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw new MalformedReview(field + " must be a string");
    }
    return parser.getText();
  }

  private static List<String> texts(JsonParser parser, String field)
      throws IOException, MalformedReview {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return List.of();
    }
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new MalformedReview(field + " must be a list");
    }
    var texts = new ArrayList<String>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      texts.add(text(parser, field));
    }
    return texts;
  }

  private static boolean flag(JsonParser parser, String field) throws MalformedReview, IOException {
    return switch (parser.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE, VALUE_NULL -> false;
      default -> throw new MalformedReview(field + " must be true or false");
    };
  }
}
