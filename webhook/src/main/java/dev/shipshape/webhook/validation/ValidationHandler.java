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
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.StoreLimits;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.Guards;
import dev.shipshape.webhook.index.LastKnownGood;
import dev.shipshape.webhook.store.KnownInvalidStore;
import java.util.List;
import java.util.Map;

/**
 * Refuses a configuration that is known invalid. It sees the object as it would be stored, and
 * computes every hash itself: what the object's annotations claim counts for nothing.
 */
public final class ValidationHandler implements AdmissionHandler {
  private final Guards guards;
  private final KnownInvalidLookup known;
  private final RollbackExemptions restorations;
  private final String overrideRole;

  /** Decides by what is there alone: remembers nothing, and knows of no revision and no rollout. */
  public ValidationHandler(Guards guards, Scope scope) {
    this(
        guards,
        new KnownInvalidLookup(scope, new KnownInvalidStore(StoreLimits.DEFAULT)),
        new RollbackExemptions(new LastKnownGood(List.of()), Map.of()),
        "shipshape-override");
  }

  /**
   * @param overrideRole the ClusterRole that lets somebody override, as messages name it
   */
  public ValidationHandler(
      Guards guards,
      KnownInvalidLookup known,
      RollbackExemptions restorations,
      String overrideRole) {
    this.guards = guards;
    this.known = known;
    this.restorations = restorations;
    this.overrideRole = overrideRole;
  }

  @Override
  public AdmissionResponse handle(AdmissionRequest request) {
    if (!request.writesAnObject()) {
      return allow(Reason.NO_CONFIGURATION_WRITTEN);
    }
    var guarded = guards.of(request.resource().toString());
    if (guarded == null) {
      return allow(Reason.NOT_GUARDED);
    }
    var version = guarded.guard().resource().version();
    if (!version.equals(request.resource().version())) {
      return reject(
          Reason.OTHER_VERSION,
          "%s are guarded in version %s, not %s: register the webhook for %s with matchPolicy Equivalent"
              .formatted(request.resource(), version, request.resource().version(), version));
    }
    if (!request.written().exists()) {
      return reject(Reason.BAD_REQUEST, "request.object is missing");
    }
    return decideObject(guarded, request);
  }

  private AdmissionResponse decideObject(GuardIndex guarded, AdmissionRequest request) {
    if (isBeingDeleted(request.written().head()) && !updatesContent(guarded, request)) {
      return allow(Reason.BEING_DELETED);
    }
    return switch (guarded.guard().roleOf(request.written().head())) {
      case Role.InvalidRecord _, Role.Backup _ -> allow(Reason.RECORD);
      case Role.Current(var node) -> decideCurrent(guarded, request, node);
    };
  }

  private AdmissionResponse decideCurrent(
      GuardIndex guarded, AdmissionRequest request, String node) {
    var hash = request.written().hash(guarded.guard().identity());
    var unusable = guarded.unavailableReason();
    if (unusable.isPresent()) {
      return withoutIndex(guarded, request, node, hash, unusable.get());
    }
    var equals = known.about(guarded, request, node, hash);
    if (equals.isEmpty()) {
      return allow(Reason.NOT_KNOWN_INVALID);
    }
    if (isUnchanged(guarded, request, hash)) {
      return allow(Reason.UNCHANGED);
    }
    var restores = restorations.grounds(guarded, request, node, hash, equals);
    if (restores.isPresent()) {
      return allow(restores.get(), AuditAnnotations.of(restores.get().word(), hash, equals));
    }
    if (SecretPolicy.about(guarded.guard().identity(), request.written(), equals)) {
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
    var before = known.refusedBefore(guarded, request.namespace(), node, hash);
    return new Rejected(
        guarded.guard().isProbe(hash) ? Reason.PROBE : Reason.KNOWN_INVALID,
        DenialMessage.of(
            proved, before, OverridePolicy.advice(guarded.guard(), request, hash, overrideRole)),
        AuditAnnotations.of("denied", hash, proved));
  }

  private AdmissionResponse withoutIndex(
      GuardIndex guarded, AdmissionRequest request, String node, ConfigHash hash, String why) {
    if (isUnchanged(guarded, request, hash)) {
      return allow(Reason.UNCHANGED);
    }
    var age = guarded.staleness();
    return restorations
        .groundsWithoutIndex(guarded, request, node, hash)
        .map(reason -> allow(reason, AuditAnnotations.withoutIndex(reason.word(), hash, age)))
        .orElseGet(
            () ->
                new Rejected(
                    Reason.NOT_READY, why, AuditAnnotations.withoutIndex("postponed", hash, age)));
  }

  private static boolean isBeingDeleted(JsonNode object) {
    return object.path("metadata").path("deletionTimestamp").isTextual();
  }

  private static boolean updatesContent(GuardIndex guarded, AdmissionRequest request) {
    var content = guarded.guard().identity().content();
    return request.operation() == Operation.UPDATE
        && !request.written().sharesMember(content, request.oldObject());
  }

  private static boolean isUnchanged(
      GuardIndex guarded, AdmissionRequest request, ConfigHash hash) {
    if (request.operation() != Operation.UPDATE) {
      return false;
    }
    var old = request.oldObject();
    return old.exists() && old.isReadable() && old.hash(guarded.guard().identity()).equals(hash);
  }
}
