package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.admission.AdmissionResponse.allow;
import static dev.shipshape.webhook.admission.AdmissionResponse.reject;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.admission.AdmissionHandler;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionResponse;
import dev.shipshape.webhook.admission.AdmissionResponse.Allowed;
import dev.shipshape.webhook.admission.AdmissionResponse.Rejected;
import dev.shipshape.webhook.admission.Operation;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Guards;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.Freshness;
import dev.shipshape.webhook.known.KnownInvalid;

/**
 * Refuses a configuration that is known invalid. It sees the object as it would be stored, and
 * computes every hash itself: what the object's annotations claim counts for nothing.
 */
public final class ValidationHandler implements AdmissionHandler {
  private final Guards guards;
  private final KnownInvalid known;
  private final Freshness freshness;
  private final RollbackExemptions exemptions;
  private final String overrideRole;

  /**
   * @param overrideRole the ClusterRole that lets somebody override, as messages name it
   */
  public ValidationHandler(
      Guards guards,
      KnownInvalid known,
      Freshness freshness,
      RollbackExemptions exemptions,
      String overrideRole) {
    this.guards = guards;
    this.known = known;
    this.freshness = freshness;
    this.exemptions = exemptions;
    this.overrideRole = overrideRole;
  }

  @Override
  public AdmissionResponse handle(AdmissionRequest request) {
    if (!request.writesAnObject()) {
      return allow(Reason.NO_CONFIGURATION_WRITTEN);
    }
    var guard = guards.of(request.resource().toString());
    if (guard == null) {
      return allow(Reason.NOT_GUARDED);
    }
    var version = guard.resource().version();
    if (!version.equals(request.resource().version())) {
      return reject(
          Reason.OTHER_VERSION,
          "%s are guarded in version %s, not %s: register the webhook for %s with matchPolicy Equivalent"
              .formatted(request.resource(), version, request.resource().version(), version));
    }
    if (!request.written().exists()) {
      return reject(Reason.BAD_REQUEST, "request.object is missing");
    }
    return decideObject(guard, request);
  }

  private AdmissionResponse decideObject(Guard guard, AdmissionRequest request) {
    if (isBeingDeleted(request.written().head()) && !updatesContent(guard, request)) {
      return allow(Reason.BEING_DELETED);
    }
    return switch (guard.roleOf(request.written().head())) {
      case Role.InvalidRecord _, Role.Backup _ -> allow(Reason.RECORD);
      case Role.Current(var node) -> decideCurrent(guard, request, node);
    };
  }

  private AdmissionResponse decideCurrent(Guard guard, AdmissionRequest request, String node) {
    var hash = request.written().hash(guard.identity());
    var unusable = freshness.unavailableReason(guard);
    if (unusable.isPresent()) {
      return withoutIndex(guard, request, node, hash, unusable.get());
    }
    var equals = known.evidence(guard, request.namespace(), request.name(), node, hash);
    if (equals.isEmpty()) {
      return allow(Reason.NOT_KNOWN_INVALID);
    }
    if (isUnchanged(guard, request, hash)) {
      return allow(Reason.UNCHANGED);
    }
    var restores = exemptions.grounds(guard, request, node, hash, equals);
    if (restores.isPresent()) {
      return allow(restores.get(), AuditAnnotations.of(restores.get().word(), hash, equals));
    }
    if (SecretPolicy.about(guard.identity(), request.written(), equals)) {
      return new Allowed(
          Reason.EQUAL_BUT_FOR_SECRETS,
          // Longer ones may be cut by the API server.
          "known invalid but for secrets, which are not compared: equals %s"
              .formatted(equals.getFirst().subject()),
          AuditAnnotations.of(Reason.EQUAL_BUT_FOR_SECRETS.word(), hash, equals));
    }
    var proved = equals.stream().filter(finding -> !finding.onlyWarns()).toList();
    if (proved.isEmpty()) {
      var first = equals.getFirst();
      return new Allowed(
          Reason.SUSPECTED,
          // Longer ones may be cut by the API server.
          "suspected invalid, as no node has reported the failure yet: equals %s"
              .formatted(first.subject()),
          AuditAnnotations.of(Reason.SUSPECTED.word(), hash, equals));
    }
    var before = known.refusedBefore(guard, request.namespace(), node, hash);
    return new Rejected(
        guard.isProbe(hash) ? Reason.PROBE : Reason.KNOWN_INVALID,
        DenialMessage.of(proved, before, OverridePolicy.advice(guard, request, hash, overrideRole)),
        AuditAnnotations.of("denied", hash, proved));
  }

  private AdmissionResponse withoutIndex(
      Guard guard, AdmissionRequest request, String node, ConfigHash hash, String why) {
    if (isUnchanged(guard, request, hash)) {
      return allow(Reason.UNCHANGED);
    }
    var age = freshness.staleness(guard);
    return exemptions
        .groundsWithoutIndex(guard, request, node, hash)
        .map(reason -> allow(reason, AuditAnnotations.withoutIndex(reason.word(), hash, age)))
        .orElseGet(
            () ->
                new Rejected(
                    Reason.NOT_READY, why, AuditAnnotations.withoutIndex("postponed", hash, age)));
  }

  private static boolean isBeingDeleted(JsonNode object) {
    return object.path("metadata").path("deletionTimestamp").isTextual();
  }

  private static boolean updatesContent(Guard guard, AdmissionRequest request) {
    var content = guard.identity().content();
    return request.operation() == Operation.UPDATE
        && !request.written().sharesMember(content, request.oldObject());
  }

  private static boolean isUnchanged(Guard guard, AdmissionRequest request, ConfigHash hash) {
    if (request.operation() != Operation.UPDATE) {
      return false;
    }
    var old = request.oldObject();
    return old.exists() && old.isReadable() && old.hash(guard.identity()).equals(hash);
  }
}
