package dev.shipshape.audit;

import org.jspecify.annotations.Nullable;

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
 * @param code the HTTP status, 0 where the stage has none yet
 * @param truncated whether the API server left the bodies out because they were too large
 * @param source the file, as it was named; with the host where the line begins with one
 * @param size of the line, in bytes
 * @param uid of the response's object, or else as the client sent it
 * @param version the resourceVersion of the response's object
 * @param sentVersion the resourceVersion of the request's object
 * @param request the request body's JSON, if the log has it and it was asked for
 * @param response the response body's JSON, if the log has it and it was asked for
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
    ObjectRef object,
    int code,
    boolean truncated,
    String source,
    int size,
    String uid,
    String version,
    String sentVersion,
    @Nullable String request,
    @Nullable String response) {

  /** From the request's arrival to this stage, in microseconds. */
  public long latency() {
    return staged - received;
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
    return Verbs.mutates(verb);
  }
}
