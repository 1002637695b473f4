package dev.shipshape.audit;

import java.net.HttpURLConnection;

/**
 * One event of an audit log ({@code audit.k8s.io/v1}). Text that the event does not have is empty.
 *
 * @param received when the API server received the request, in microseconds since 1970; the same
 *     for all stages of a request
 * @param staged when the stage was reached, in microseconds since 1970
 * @param level {@code Metadata}, {@code Request} or {@code RequestResponse}
 * @param auditId the request's id, which a client may set
 * @param actor on whose behalf the request ran: the impersonated user where there is one
 * @param impersonator who impersonated the actor
 * @param sourceIps of the client and of proxies, as the log has them: a JSON list
 * @param message why the request was refused, for people
 * @param code the HTTP status, 0 where the stage has none yet
 * @param truncated whether the bodies are left out because they are too large
 * @param source the file, as it was named; with the host where the line begins with one
 * @param size of the line, in bytes
 * @param asked whether it is what was asked for, and not only what a race is seen by
 * @param terminating whether the response's object is being deleted
 * @param dryRun whether the request was only tried
 * @param uid of the response's object, or else as the client sent it
 * @param version the resourceVersion of the response's object
 * @param sentVersion the resourceVersion of the request's object
 */
public record AuditEvent(
    long received,
    long staged,
    Stage stage,
    String level,
    String auditId,
    String uri,
    String verb,
    String actor,
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
    boolean dryRun,
    String uid,
    String version,
    String sentVersion) {

  /** From the request's arrival to this stage, in microseconds. */
  public long latency() {
    return staged - received;
  }

  /** Whether its latency tells anything: watches and connections last as long as they are used. */
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

  /** Whether the API server did what was asked. */
  boolean succeeded() {
    return code >= 200 && code < 300;
  }

  /** Whether it made an object; an apply or an update may do so, too. */
  boolean creates() {
    return object.subresource().isEmpty()
        && (code == HttpURLConnection.HTTP_CREATED || (succeeded() && verb.equals("create")));
  }

  /** Whether both are stages of one request; a client may give several one id. */
  boolean isSameRequest(AuditEvent other) {
    return received == other.received
        && auditId.equals(other.auditId)
        && verb.equals(other.verb)
        && uri.equals(other.uri);
  }

  /** Whether the request asks to change something. */
  public boolean mutates() {
    return mutates(verb, object.resource(), object.subresource());
  }

  /** Questions and connections are created, too, but change nothing. */
  static boolean mutates(String verb, String resource, String subresource) {
    return switch (verb) {
      case "update", "patch", "delete", "deletecollection" -> true;
      case "create" ->
          !resource.endsWith("reviews")
              && switch (subresource) {
                case "exec", "attach", "portforward", "proxy", "token" -> false;
                default -> true;
              };
      default -> false;
    };
  }
}
