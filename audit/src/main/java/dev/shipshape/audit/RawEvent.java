package dev.shipshape.audit;

import static java.net.HttpURLConnection.HTTP_BAD_REQUEST;
import static java.net.HttpURLConnection.HTTP_CONFLICT;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The event that was read last, in its bytes. One instance for each thread. */
final class RawEvent {
  /** How much of an event to read. */
  enum Detail {
    /** The request: who, when, what. */
    HEAD,
    /** Also the uid and the resourceVersions of its bodies. */
    VERSIONS,
    /** Also its bodies. */
    BODIES
  }

  private static final List<Field> BODIES = List.of(Field.REQUEST, Field.RESPONSE);

  /** Members of an event that never have a Secret's content, or from which it is hidden. */
  private static final Set<String> WITHOUT_SECRETS =
      Set.of(
          ("kind apiVersion level auditID stage requestURI verb user impersonatedUser sourceIPs"
                  + " userAgent objectRef responseStatus requestReceivedTimestamp timestamp"
                  + " stageTimestamp requestObject responseObject")
              .split(" ", -1));

  /** Where there is no objectRef: about Secrets or tokens, or not readable. */
  private static final Pattern SECRET_URI =
      Pattern.compile("^(/apis/)?$|^[^?]*(%|/(secrets|tokenreviews|token)(?![^/?]))");

  /** The longest body that is shown, in bytes. */
  private static final int LONGEST_SHOWN = 1 << 20;

  private final EventParser event = new EventParser();
  private final EventParser body = new EventParser();
  private byte[] bytes = {};
  private int start;
  private int end;
  private String source = "";
  private boolean bodyRead;
  private long received = Times.NONE;

  /** Reads one object; see {@link EventParser#parse}. */
  int parse(byte[] buffer, int from, int limit, String log, boolean acrossLines) {
    bytes = buffer;
    start = from;
    source = log;
    bodyRead = false;
    end = event.parse(buffer, from, limit, acrossLines);
    // Before audit.k8s.io/v1beta1 an event had only one time.
    received =
        end < 0 ? Times.NONE : time(event.has(Field.RECEIVED) ? Field.RECEIVED : Field.TIMESTAMP);
    return end;
  }

  /** Reads an event that was converted from another format. */
  int parse(byte[] made, String log) {
    return parse(made, 0, made.length, log, true);
  }

  String source() {
    return source;
  }

  /**
   * Whether it has all the fields that are needed to sort it. A user, who may be unknown, is in
   * every event, and not in an object with fields that were extracted from one.
   */
  boolean isEvent() {
    return event.hasUser()
        && event.has(Field.AUDIT_ID)
        && event.has(Field.STAGE)
        && received() != Times.NONE;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns the object's size in bytes. */
  int size() {
    return number(Field.SHORTENED, end - start);
  }

  /** Returns where a value begins; -1 if it is absent. */
  int from(Field field) {
    return event.from(field);
  }

  int length(Field field) {
    return event.has(field) ? event.to(field) - event.from(field) : 0;
  }

  boolean hasEscapes(Field field) {
    return event.hasEscapes(field);
  }

  String text(Field field) {
    return event.text(field);
  }

  /** Returns microseconds since 1970. */
  long received() {
    return received;
  }

  private long time(Field field) {
    return event.has(field) ? Times.parse(bytes, event.from(field), event.to(field)) : Times.NONE;
  }

  /** The name of a create with {@code generateName} is in the response only. */
  String name() {
    var name = text(Field.NAME);
    return name.isEmpty() && text(Field.VERB).equals("create") ? response(Field.BODY_NAME) : name;
  }

  String namespace() {
    // The API server sets a namespace's own name here, except when it is created.
    return text(Field.RESOURCE).equals("namespaces") ? "" : text(Field.NAMESPACE);
  }

  String uid() {
    var uid = response(Field.BODY_UID);
    if (uid.isEmpty()) {
      uid = response(Field.STATUS_UID);
    }
    return uid.isEmpty() ? text(Field.UID) : uid;
  }

  /** Not before the request was received, even if clocks differ. */
  long staged() {
    return Math.max(received(), time(Field.STAGED));
  }

  /** Returns the resourceVersion of the response's object. */
  String version() {
    return response(Field.BODY_VERSION);
  }

  /** Returns the resourceVersion of the request's object. */
  String sentVersion() {
    return request().text(Field.BODY_VERSION);
  }

  /** Whether the API server left the bodies out because they are too large. */
  boolean isTruncated() {
    return text(Field.TRUNCATED).equals("true") || event.has(Field.SHORTENED);
  }

  boolean mutates() {
    return AuditEvent.mutates(
        text(Field.VERB),
        () ->
            new ObjectRef(
                text(Field.GROUP),
                text(Field.RESOURCE),
                text(Field.SUBRESOURCE),
                text(Field.NAMESPACE),
                name()));
  }

  boolean isTerminating() {
    return !response(Field.BODY_DELETED).isEmpty();
  }

  /** Whether nothing holds up the deletion of the response's object any more. */
  boolean isGone() {
    return (text(Field.VERB).equals("delete") ? event.has(Field.RESPONSE) : isTerminating())
        && !(response(Field.BODY_FINALIZERS) + response(Field.SPEC_FINALIZERS)).contains("\"")
        && Set.of("", "0").contains(response(Field.BODY_GRACE));
  }

  /** Clients request a dry run in the URL or in DeleteOptions, which an Eviction contains. */
  boolean isDryRun() {
    return text(Field.URI).contains("dryRun=")
        || (text(Field.VERB).startsWith("delete") && request().text(Field.DRY_RUN).contains("All"))
        || (text(Field.SUBRESOURCE).equals("eviction")
            && request().text(Field.EVICTION_DRY_RUN).contains("All"));
  }

  Stage stage() {
    return switch (text(Field.STAGE)) {
      case "RequestReceived" -> Stage.RequestReceived;
      case "ResponseStarted" -> Stage.ResponseStarted;
      case "Panic" -> Stage.Panic;
      default -> Stage.ResponseComplete;
    };
  }

  int code() {
    return number(Field.CODE, 0);
  }

  private int number(Field field, int otherwise) {
    try {
      return event.has(field)
          ? Math.clamp((long) Double.parseDouble(text(field)), 0, Integer.MAX_VALUE)
          : otherwise;
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  /** Returns a body without its secrets; null if it is not recorded. */
  @Nullable String body(Field field) {
    return event.has(field) ? Json.withoutSecrets(text(field), isSecret()) : null;
  }

  /** Returns the whole event without the secrets in its bodies. */
  ObjectNode json() {
    var text = new String(bytes, start, end - start, StandardCharsets.UTF_8);
    if (!(Json.tree(text) instanceof ObjectNode json)) {
      return Json.MAPPER
          .createObjectNode()
          .put("auditID", text(Field.AUDIT_ID))
          .put("shipshape.dev/unreadable", "is nested too deep");
    }
    for (var field : BODIES) {
      var name = field.path().getLast();
      if (length(field) > LONGEST_SHOWN) {
        json.put(name, "(%d bytes, not shown)".formatted(length(field)));
      } else if (event.has(field)) {
        var tree = Json.tree(body(field));
        json.set(name, tree.isMissingNode() ? json.path(name) : tree);
      } else {
        // A name that is spelled with escapes, in which no secret was looked for.
        json.remove(name);
      }
    }
    if (isSecret()) {
      // Annotations include patches of webhooks, and members of others may be parts of bodies.
      json.retain(WITHOUT_SECRETS);
    }
    if (quotesSecret() && json.has("responseStatus")) {
      json.set("responseStatus", Json.hidden(json.path("responseStatus")));
    }
    return json;
  }

  /** Why the request was refused; empty if it could quote a Secret's content. */
  String message() {
    return event.has(Field.MESSAGE) && quotesSecret() ? Json.HIDDEN : text(Field.MESSAGE);
  }

  /** Who refuses may repeat it, in messages and causes; not if it is gone, or by missing rights. */
  private boolean quotesSecret() {
    return isSecret()
        && (code() >= HTTP_BAD_REQUEST || code() == 0)
        && code() != HTTP_NOT_FOUND
        && code() != HTTP_CONFLICT
        && !text(Field.MESSAGE).contains(" is forbidden: User \"");
  }

  private boolean isSecret() {
    var resource = text(Field.RESOURCE);
    return (resource.isEmpty() && SECRET_URI.matcher(text(Field.URI)).find())
        || resource.equals("secrets")
        || resource.equals("tokenreviews")
        || text(Field.SUBRESOURCE).equals("token");
  }

  private String response(Field field) {
    if (!bodyRead) {
      read(Field.RESPONSE);
      bodyRead = true;
    }
    return body.text(field);
  }

  /** Reads the request's body with the parser that holds the response's. */
  private EventParser request() {
    read(Field.REQUEST);
    bodyRead = false;
    return body;
  }

  private void read(Field field) {
    if (event.has(field) && event.hasEscapes(field)) {
      // Some collectors make a text of it.
      var text = text(field).getBytes(StandardCharsets.UTF_8);
      body.parse(text, 0, text.length, true);
    } else if (event.has(field) && bytes[event.from(field)] == '{') {
      body.parse(bytes, event.from(field), event.to(field), true);
    } else {
      body.clear();
    }
  }
}
