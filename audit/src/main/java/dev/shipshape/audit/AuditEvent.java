package dev.shipshape.audit;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.function.Supplier;

/**
 * One event of an audit log ({@code audit.k8s.io/v1}). A text that is not in the event is empty.
 *
 * @param received when the API server received the request, in microseconds since 1970; the same
 *     for all stages of a request
 * @param staged when the stage was reached, in microseconds since 1970
 * @param level {@code Metadata}, {@code Request} or {@code RequestResponse}
 * @param auditId a client may set it
 * @param actor the impersonated user if there is one, else the user
 * @param impersonator the user who impersonated the actor
 * @param sourceIps of the client and of proxies, as a JSON list
 * @param message why the request was refused
 * @param code the HTTP status; 0 if the stage has none yet
 * @param truncated whether the bodies are left out because they are too large
 * @param source the file; with the host if the line begins with one
 * @param size of its JSON, in bytes
 * @param asked whether the filter matches; other events are only evidence
 * @param terminating whether the response's object is being deleted
 * @param gone whether it is deleted with this response, as nothing holds it up
 * @param uid of the response's object, else of the request
 * @param version the resourceVersion of the response's object
 * @param sentVersion the resourceVersion of the request's object
 */
// Reports have the addresses of sourceIps instead, and nothing of our filter and our conclusions.
@JsonIgnoreProperties({"asked", "gone", "sourceIps"})
@JsonPropertyOrder("time")
public record AuditEvent(
    long received,
    long staged,
    Stage stage,
    String level,
    @JsonProperty("auditID") String auditId,
    String uri,
    String verb,
    @JsonProperty("user") String actor,
    String impersonator,
    String userAgent,
    String sourceIps,
    ObjectRef object,
    int code,
    String message,
    boolean truncated,
    String source,
    int size,
    boolean asked,
    boolean terminating,
    boolean gone,
    boolean dryRun,
    String uid,
    String version,
    String sentVersion) {

  /** Returns sourceIps; none if it is no list of texts: of mixed lines it may be anything. */
  @JsonProperty("sourceIPs")
  public List<String> addresses() {
    var list = Json.tree(sourceIps);
    return list.isArray() && list.valueStream().allMatch(JsonNode::isTextual)
        ? list.valueStream().map(JsonNode::textValue).toList()
        : List.of();
  }

  /** Returns when the API server received the request, for people. */
  @JsonProperty
  public String time() {
    return Times.format(received);
  }

  /** Returns the time from the request's arrival to this stage, in microseconds. */
  public long latency() {
    return staged - received;
  }

  @JsonProperty("latency_seconds")
  public double latencySeconds() {
    return latency() / 1e6;
  }

  /**
   * Whether its latency is a response time. Watches and connections last as long as they are used.
   */
  boolean isShort() {
    return switch (verb) {
      case "watch", "connect" -> false;
      default ->
          switch (object.subresource()) {
            case "exec", "attach", "log", "portforward", "proxy" -> false;
            default -> true;
          };
    };
  }

  boolean succeeded() {
    return code >= 200 && code < 300;
  }

  /** Whether logs whose latest request came then do not tell how it ended, although it did. */
  boolean isUnanswered(long latest) {
    // The API server's --request-timeout is a minute.
    return code == 0 && (stage != Stage.RequestReceived || received < latest - 60_000_000);
  }

  /** Whether the request created an object. An apply or an update may do so, too. */
  boolean creates() {
    return object.subresource().isEmpty()
        && (code == HttpURLConnection.HTTP_CREATED || (succeeded() && verb.equals("create")));
  }

  /** Whether both are stages of one request. The auditID is not enough: a client may repeat it. */
  boolean isSameRequest(AuditEvent other) {
    return received == other.received
        && auditId.equals(other.auditId)
        && verb.equals(other.verb)
        && uri.equals(other.uri);
  }

  public boolean mutates() {
    return mutates(verb, () -> object);
  }

  /**
   * Reviews, tokens and connections are created, too, but change no object.
   *
   * @param object needed only if the verb does not decide
   */
  static boolean mutates(String verb, Supplier<ObjectRef> object) {
    return switch (verb) {
      case "update", "patch", "delete", "deletecollection" -> true;
      case "create" -> {
        var created = object.get();
        yield !created.isReview()
            && switch (created.subresource()) {
              case "exec", "attach", "portforward", "proxy", "token" -> false;
              default -> true;
            };
      }
      default -> false;
    };
  }
}
