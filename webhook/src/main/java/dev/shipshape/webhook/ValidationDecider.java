package dev.shipshape.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Deny;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.Decision.TryLater;
import dev.shipshape.webhook.guard.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.index.WorkedLedger;
import dev.shipshape.webhook.memory.Recollection;
import dev.shipshape.webhook.review.AdmissionRequest;
import dev.shipshape.webhook.review.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Refuses a configuration that is known invalid. It sees the object as it would be stored, and
 * computes every hash itself: what the object's annotations claim counts for nothing.
 */
final class ValidationDecider implements Decider {
  private final Guards guards;
  private final KnownInvalid known;
  private final Restorations restorations;
  private final String overrideRole;

  /** Decides by what is there alone: remembers nothing, and knows of no revision and no rollout. */
  ValidationDecider(Guards guards, Scope scope) {
    this(
        guards,
        new KnownInvalid(scope, Recollection.none()),
        new Restorations(
            guards,
            new Revisions(List.of(), node -> Optional.empty()),
            new WorkedLedger(List.of()),
            Map.of()),
        "shipshape-override");
  }

  /**
   * @param overrideRole the ClusterRole that lets somebody override, as messages name it
   */
  ValidationDecider(
      Guards guards, KnownInvalid known, Restorations restorations, String overrideRole) {
    this.guards = guards;
    this.known = known;
    this.restorations = restorations;
    this.overrideRole = overrideRole;
  }

  @Override
  public Decision decide(AdmissionRequest request) {
    if (!writesAnObject(request)) {
      return new Allow(Grounds.NO_CONFIGURATION_WRITTEN);
    }
    var guarded = guards.of(request.resource());
    if (guarded == null) {
      return new Allow(Grounds.NOT_GUARDED);
    }
    var version = guarded.guard().resource().version();
    if (!version.equals(request.resource().version())) {
      return new Deny(
          Refusal.OTHER_VERSION,
          "%s are guarded in version %s, not %s: register the webhook for %s with matchPolicy Equivalent"
              .formatted(request.resource(), version, request.resource().version(), version));
    }
    if (!request.written().exists()) {
      return new Deny(Refusal.BAD_REQUEST, "request.object is missing");
    }
    return decideObject(guarded, request);
  }

  static boolean writesAnObject(AdmissionRequest request) {
    return request.subResource().isEmpty()
        && (request.operation() == Operation.CREATE || request.operation() == Operation.UPDATE);
  }

  private Decision decideObject(GuardIndex guarded, AdmissionRequest request) {
    if (isBeingDeleted(request.written().head())) {
      return new Allow(Grounds.BEING_DELETED);
    }
    return switch (guarded.guard().roleOf(request.written().head())) {
      case Role.InvalidRecord ignored -> new Allow(Grounds.RECORD);
      case Role.Backup ignored -> new Allow(Grounds.RECORD);
      case Role.Current(var node) -> decideCurrent(guarded, request, node);
    };
  }

  private Decision decideCurrent(GuardIndex guarded, AdmissionRequest request, String node) {
    var hash = request.written().hash(guarded.guard().identity());
    var unusable = guarded.unusable();
    if (unusable.isPresent()) {
      return withoutIndex(guarded, request, node, hash, unusable.get());
    }
    var equals = known.about(guarded, request, node, hash);
    if (equals.isEmpty()) {
      return new Allow(Grounds.NOT_KNOWN_INVALID);
    }
    if (isUnchanged(guarded, request, hash)) {
      return new Allow(Grounds.UNCHANGED);
    }
    var restores = restorations.grounds(guarded, request, node, hash, equals);
    if (restores.isPresent()) {
      return new Allow(restores.get(), null, Audit.of(restores.get(), hash, equals));
    }
    if (SecretDoubt.about(guarded.guard().identity(), request.written(), equals)) {
      return new Allow(
          Grounds.EQUAL_BUT_FOR_SECRETS,
          // Longer ones may be cut by the API server.
          "equals %s, known invalid, but for secrets, which are not compared"
              .formatted(equals.getFirst().subject()),
          Audit.of(Grounds.EQUAL_BUT_FOR_SECRETS, hash, equals));
    }
    var proved = equals.stream().filter(finding -> !finding.onlyWarns()).toList();
    if (proved.isEmpty()) {
      var first = equals.getFirst();
      var grounds =
          first instanceof Finding.OfTimeout ? Grounds.EQUAL_TO_TIMED_OUT : Grounds.SUSPECTED;
      return new Allow(
          grounds,
          // Longer ones may be cut by the API server.
          "equals %s, %s".formatted(first.subject(), first.doubt()),
          Audit.of(grounds, hash, equals));
    }
    var before = known.refusedBefore(guarded, request.namespace(), node, hash);
    return new Deny(
        Refusal.KNOWN_INVALID,
        DenialMessage.of(
            guarded.guard(),
            proved,
            before,
            BreakGlass.advice(guarded.guard(), request, hash, overrideRole)),
        Audit.of("denied", hash, proved));
  }

  private Decision withoutIndex(
      GuardIndex guarded, AdmissionRequest request, String node, ConfigHash hash, String why) {
    if (isUnchanged(guarded, request, hash)) {
      return new Allow(Grounds.UNCHANGED);
    }
    var age = guarded.staleness();
    return restorations
        .groundsWithoutIndex(guarded, request, node, hash)
        .<Decision>map(
            grounds -> new Allow(grounds, null, Audit.withoutIndex(grounds.label(), hash, age)))
        .orElseGet(() -> new TryLater(why, Audit.withoutIndex("put-off", hash, age)));
  }

  private static boolean isBeingDeleted(JsonNode object) {
    return object.path("metadata").path("deletionTimestamp").isTextual();
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
