package dev.shipshape.webhook;

import dev.shipshape.webhook.guard.GuardedResource;
import dev.shipshape.webhook.review.AdmissionRequest;
import dev.shipshape.webhook.review.Operation;
import java.util.Optional;

/**
 * A write that met a configuration known invalid, as an Event tells it.
 *
 * @param resource of the object that was to be written
 * @param namespace empty for objects that have none
 * @param uid empty for an object that does not exist yet
 * @param refused whether the write was refused; otherwise whoever wrote was warned
 * @param note what is told
 */
record Incident(
    GuardedResource resource,
    String namespace,
    String name,
    String uid,
    boolean refused,
    String note) {

  /** What is to be told of a decision; empty for nothing. */
  static Optional<Incident> of(
      GuardedResource resource, AdmissionRequest request, Decision decision) {
    return request.dryRun() ? Optional.empty() : told(resource, request, decision);
  }

  private static Optional<Incident> told(
      GuardedResource resource, AdmissionRequest request, Decision decision) {
    return switch (decision) {
      case Decision.Deny denial when denial.refusal() == Refusal.KNOWN_INVALID ->
          Optional.of(of(resource, request, true, denial.message()));
      case Decision.Allow allow
          when allow.grounds().outcome() == Outcome.WARNED && allow.warning() != null ->
          Optional.of(of(resource, request, false, allow.warning()));
      case Decision.Deny ignored -> Optional.empty();
      case Decision.Allow ignored -> Optional.empty();
      case Decision.Patch ignored -> Optional.empty();
      case Decision.TryLater ignored -> Optional.empty();
    };
  }

  private static Incident of(
      GuardedResource resource, AdmissionRequest request, boolean refused, String note) {
    var metadata = request.written().head().path("metadata");
    // The API server gives a uid to what it is about to create, and forgets it with the object.
    var uid = request.operation() == Operation.CREATE ? "" : metadata.path("uid").asText();
    var name = metadata.path("name").asText();
    return new Incident(
        resource, request.namespace(), name.isEmpty() ? request.name() : name, uid, refused, note);
  }

  /** What the Event is about, for the limit on how often it is told. */
  String object() {
    return resource + " " + namespace + "/" + name;
  }
}
