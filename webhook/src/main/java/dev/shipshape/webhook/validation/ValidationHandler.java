package dev.shipshape.webhook.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Operation;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Guards;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.Evidence;
import dev.shipshape.webhook.known.KnownInvalid;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides whether a configuration is known invalid, and says so in one of three ways. It sees the
 * object as it would be stored, and computes every hash itself: what the object's annotations claim
 * counts for nothing.
 */
public final class ValidationHandler {
  private final Guards guards;
  private final KnownInvalid known;
  private final Function<Guard, Optional<String>> unavailableReason;
  private final RollbackExemptions exemptions;
  private final String overrideRole;
  private final Set<String> dryRunWarnings;

  /**
   * @param unavailableReason why nothing can be decided for a guard by what is known, in one line;
   *     empty if it can
   * @param overrideRole the ClusterRole that lets somebody override, as messages name it
   * @param dryRunWarnings the users whose dry runs are warned where a write would be refused, such
   *     as of tools that write nothing at all if one object of many is refused
   */
  public ValidationHandler(
      Guards guards,
      KnownInvalid known,
      Function<Guard, Optional<String>> unavailableReason,
      RollbackExemptions exemptions,
      String overrideRole,
      Collection<String> dryRunWarnings) {
    this.guards = guards;
    this.known = known;
    this.unavailableReason = unavailableReason;
    this.exemptions = exemptions;
    this.overrideRole = overrideRole;
    this.dryRunWarnings = Set.copyOf(dryRunWarnings);
  }

  /** Refuses what is known invalid; of some users' dry runs it only warns. */
  public Decision deny(AdmissionRequest request) {
    var verdict = judge(request);
    return verdict.reason() == Reason.KNOWN_INVALID
            && request.dryRun()
            && dryRunWarnings.contains(request.user())
        ? wouldBeRefused(verdict, "if this were no dry run")
        : denied(request, verdict);
  }

  /** Warns of what would be refused if the guard were armed. */
  public Decision warn(AdmissionRequest request) {
    var verdict = judge(request);
    if (!verdict.reason().isKnownInvalid()) {
      return denied(request, verdict);
    }
    return wouldBeRefused(verdict, "if the guard were armed");
  }

  private static Decision wouldBeRefused(Verdict verdict, String when) {
    var isProbe = verdict.reason() == Reason.PROBE;
    return verdict.as(
        isProbe ? Reason.PROBE_WOULD_BE_REFUSED : Reason.WOULD_BE_REFUSED,
        "known invalid: equals %s; would be refused %s".formatted(verdict.subject(), when));
  }

  /**
   * Lets through what would be refused, where the writer names the configuration's hash: a
   * left-over annotation allows no other. Only for requests of which the API server has found that
   * their writer may: it alone sends them to the endpoint that this decides for.
   */
  public Decision override(AdmissionRequest request) {
    var verdict = judge(request);
    var hash = verdict.hash();
    return hash != null
            && (verdict.reason().isKnownInvalid() || verdict.reason() == Reason.NOT_READY)
            && DenialMessage.namedHash(request).equals(hash.toString())
        ? verdict.as(Reason.OVERRIDDEN, "")
        : denied(request, verdict);
  }

  /** Warnings are short: the API server may cut longer ones. */
  private Decision denied(AdmissionRequest request, Verdict verdict) {
    return verdict.as(
        verdict.reason(),
        switch (verdict.reason()) {
          case KNOWN_INVALID, PROBE -> DenialMessage.of(request, verdict, overrideRole);
          case EQUAL_BUT_FOR_SECRETS ->
              "known invalid but for secrets, which are not compared: equals " + verdict.subject();
          case SUSPECTED ->
              "suspected invalid, as no node has reported the failure yet: equals "
                  + verdict.subject();
          default -> verdict.why();
        });
  }

  private Verdict judge(AdmissionRequest request) {
    if (!request.writesAnObject()) {
      return Verdict.of(Reason.NO_CONFIGURATION_WRITTEN);
    }
    var guard = guards.of(request.resource().toString());
    if (guard == null) {
      return Verdict.of(Reason.NOT_GUARDED);
    }
    var version = guard.resource().version();
    if (!version.equals(request.resource().version())) {
      return Verdict.of(
          Reason.OTHER_VERSION,
          "%s are guarded in version %s, not %s: register the webhook for %s with matchPolicy Equivalent"
              .formatted(request.resource(), version, request.resource().version(), version));
    }
    if (request.object().isMissingNode()) {
      return Verdict.of(Reason.BAD_REQUEST, "request.object is missing");
    }
    // Of a field that is nowhere, as by a slip in identity.content, all objects say the same.
    if (!request.object().hasNonNull(guard.identity().content())) {
      return Verdict.of(Reason.NO_CONFIGURATION_WRITTEN);
    }
    if (isBeingDeleted(request.object()) && !updatesContent(guard, request)) {
      return Verdict.of(Reason.BEING_DELETED);
    }
    return switch (guard.roleOf(request.object())) {
      case Role.InvalidRecord _, Role.Backup _ -> Verdict.of(Reason.RECORD);
      case Role.Current(var node) -> judge(guard, request, node);
    };
  }

  private Verdict judge(Guard guard, AdmissionRequest request, String node) {
    var hash = guard.identity().hash(request.object());
    var unusable = unavailableReason.apply(guard);
    if (unusable.isPresent()) {
      return withoutIndex(guard, request, node, hash, unusable.get());
    }
    var equals = known.evidence(guard, request.namespace(), request.name(), node, hash);
    if (equals.isEmpty()) {
      return Verdict.of(Reason.NOT_KNOWN_INVALID);
    }
    if (isUnchanged(guard, request, hash)) {
      return Verdict.of(Reason.UNCHANGED);
    }
    var restores = exemptions.grounds(guard, request, node, hash, equals);
    if (restores.isPresent()) {
      return Verdict.of(restores.get(), guard, hash, equals);
    }
    var proved = equals.stream().filter(evidence -> !evidence.onlyWarns()).toList();
    if (isDoubtful(guard, request, proved.isEmpty() ? equals : proved)) {
      return Verdict.of(Reason.EQUAL_BUT_FOR_SECRETS, guard, hash, equals);
    }
    if (proved.isEmpty()) {
      return Verdict.of(Reason.SUSPECTED, guard, hash, equals);
    }
    return Verdict.of(
        guard.isProbe(hash) ? Reason.PROBE : Reason.KNOWN_INVALID, guard, hash, proved);
  }

  /**
   * Whether equal hashes do not prove equal configurations. Secrets are in no hash, so an object
   * that holds one says more than its hash does: the one that failed may have failed for its
   * password, and the one that is written may be the one that repairs it. It is proof only where
   * what is written and one of those known invalid hold no secret at all.
   */
  private static boolean isDoubtful(Guard guard, AdmissionRequest request, List<Evidence> equals) {
    return guard.identity().holdsSecrets(request.object())
        || equals.stream().allMatch(Evidence::holdsSecrets);
  }

  private Verdict withoutIndex(
      Guard guard, AdmissionRequest request, String node, ConfigHash hash, String why) {
    if (isUnchanged(guard, request, hash)) {
      return Verdict.of(Reason.UNCHANGED);
    }
    var reason =
        exemptions.groundsWithoutIndex(guard, request, node, hash).orElse(Reason.NOT_READY);
    return new Verdict(reason, why, guard.name(), hash, List.of());
  }

  private static boolean isBeingDeleted(JsonNode object) {
    return object.path("metadata").path("deletionTimestamp").isTextual();
  }

  private static boolean updatesContent(Guard guard, AdmissionRequest request) {
    var content = guard.identity().content();
    return request.operation() == Operation.UPDATE
        && !request.object().path(content).equals(request.oldObject().path(content));
  }

  private static boolean isUnchanged(Guard guard, AdmissionRequest request, ConfigHash hash) {
    return request.operation() == Operation.UPDATE
        && request.oldObject().isObject()
        && guard.identity().hash(request.oldObject()).equals(hash);
  }
}
