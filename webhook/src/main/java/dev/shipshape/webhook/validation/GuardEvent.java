package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionResponse;
import dev.shipshape.webhook.admission.AdmissionResponse.Allowed;
import dev.shipshape.webhook.admission.AdmissionResponse.Patched;
import dev.shipshape.webhook.admission.AdmissionResponse.Rejected;
import dev.shipshape.webhook.admission.Operation;
import dev.shipshape.webhook.config.GuardedResource;
import dev.shipshape.webhook.store.KnownInvalidConfiguration;
import java.util.Optional;

/**
 * That a configuration became known invalid, or that a write met one, as an Event tells it.
 *
 * @param resource of the object that it is about
 * @param namespace empty for objects that have none
 * @param uid empty for an object that does not exist yet
 * @param action what shipshape did: Refuse, Warn or Learn
 * @param note what is told
 */
public record GuardEvent(
    GuardedResource resource,
    String namespace,
    String name,
    String uid,
    String action,
    String note) {

  /** What is to be told of a response; empty for nothing. */
  static Optional<GuardEvent> of(
      GuardedResource resource, AdmissionRequest request, AdmissionResponse response) {
    return request.dryRun() ? Optional.empty() : told(resource, request, response);
  }

  private static Optional<GuardEvent> told(
      GuardedResource resource, AdmissionRequest request, AdmissionResponse response) {
    return switch (response) {
      case Rejected(var reason, var message, _) when reason.isKnownInvalid() ->
          Optional.of(of(resource, request, "Refuse", message));
      case Allowed(_, var warning, _) when warning != null ->
          Optional.of(of(resource, request, "Warn", warning));
      case Rejected _, Allowed _, Patched _ -> Optional.empty();
    };
  }

  /** That a configuration is known invalid from now on, on the object whose status said so. */
  static GuardEvent of(GuardedResource resource, KnownInvalidConfiguration learned) {
    var source = learned.source();
    var nodes = learned.nodes();
    return new GuardEvent(
        resource,
        learned.key().namespace(),
        source.name(),
        source.uid(),
        "Learn",
        "this configuration is known invalid from now on%s: %s wrote that %s. Kept as KnownInvalidConfiguration %s."
            .formatted(
                nodes.isEmpty() ? "" : ", since it failed on " + String.join(", ", nodes),
                learned.writer().isEmpty() ? "somebody" : learned.writer(),
                learned.reason(),
                learned.key().objectName()));
  }

  private static GuardEvent of(
      GuardedResource resource, AdmissionRequest request, String action, String note) {
    var metadata = request.written().head().path("metadata");
    // The API server gives a uid to what it is about to create, and forgets it with the object.
    var uid = request.operation() == Operation.CREATE ? "" : metadata.path("uid").asText();
    var name = metadata.path("name").asText();
    return new GuardEvent(
        resource, request.namespace(), name.isEmpty() ? request.name() : name, uid, action, note);
  }

  /** What the Event is about, for the limit on how often it is told. */
  String object() {
    return action + " " + resource + " " + namespace + "/" + name;
  }
}
