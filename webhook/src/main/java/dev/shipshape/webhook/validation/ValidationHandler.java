package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Operation;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.Evidence;
import dev.shipshape.webhook.known.KnownInvalid;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides about writes of guarded objects: refuse, warn or override. Gets the object as it would be
 * stored and computes all hashes itself; hash annotations are ignored.
 */
public final class ValidationHandler {
  /** Evidence that only warns comes last. */
  record Result(
      Reason reason,
      String message,
      String guard,
      @Nullable ConfigHash hash,
      List<Evidence> evidence) {
    static Result of(Reason reason) {
      return of(reason, "");
    }

    static Result of(Reason reason, String why) {
      return new Result(reason, why, "", null, List.of());
    }

    static Result of(Reason reason, Guard guard, ConfigHash hash, List<Evidence> evidence) {
      return new Result(reason, "", guard.name(), hash, evidence);
    }

    String subject() {
      return evidence.isEmpty() ? "" : evidence.getFirst().subject();
    }

    Decision toDecision(Reason other, String message) {
      return new Decision(other, message, "", audit(other));
    }

    private Map<String, String> audit(Reason other) {
      if (hash == null) {
        return Map.of();
      }
      var audit =
          new HashMap<>(
              Map.of(
                  "decision",
                  auditLabel(other),
                  "guard",
                  guard,
                  Decision.CONFIG_HASH,
                  hash.toString()));
      if (!evidence.isEmpty()) {
        audit.put("equals", subject());
      }
      return audit;
    }

    private static String auditLabel(Reason reason) {
      return reason.isKnownInvalid()
          ? "denied"
          : reason == Reason.NOT_READY ? "postponed" : reason.auditLabel();
    }
  }

  private final Map<String, Guard> guards;
  private final KnownInvalid known;
  private final Function<Guard, Optional<String>> unavailableReason;
  private final RollbackExemptions exemptions;
  private final String overrideRole;
  private final Set<String> dryRunWarnings;

  /**
   * @param unavailableReason why the index must not be used for a guard, in one line; empty if it
   *     may
   * @param overrideRole the ClusterRole that grants the override, for messages
   * @param dryRunWarnings users whose dry runs get a warning instead of a refusal, such as of tools
   *     that write nothing if one of many objects is refused
   */
  public ValidationHandler(
      Map<String, Guard> guards,
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

  /**
   * Refuses known invalid configurations; warns in dry runs of some users. Postpones writes that no
   * guard of this replica is for.
   */
  public Decision deny(AdmissionRequest request) {
    return deny(request, judge(request));
  }

  private Decision deny(AdmissionRequest request, Result result) {
    // While guards are changed, replicas with the old settings still run.
    if (result.reason() == Reason.NOT_GUARDED) {
      return Decision.of(
          Reason.NOT_READY,
          "this replica has no guard for %s; others may have one".formatted(request.resource()));
    }
    if (result.reason() == Reason.OTHER_VERSION) {
      return Decision.of(Reason.NOT_READY, result.message());
    }
    return result.reason() == Reason.KNOWN_INVALID
            && request.dryRun()
            && dryRunWarnings.contains(request.user())
        ? wouldBeRefused(result, "if this were no dry run")
        : decision(request, result);
  }

  /** Warns if the write would be refused by an armed guard. */
  public Decision warn(AdmissionRequest request) {
    var result = judge(request);
    if (!result.reason().isKnownInvalid()) {
      return decision(request, result);
    }
    return wouldBeRefused(result, "if the guard were armed");
  }

  private static Decision wouldBeRefused(Result result, String when) {
    var isProbe = result.reason() == Reason.PROBE;
    return result.toDecision(
        isProbe ? Reason.PROBE_WOULD_BE_REFUSED : Reason.WOULD_BE_REFUSED,
        "known invalid: equals %s; would be refused %s".formatted(result.subject(), when));
  }

  /**
   * Allows a known invalid configuration if its hash is in the override annotation, so that a
   * left-over annotation allows no other configuration. The API server calls this endpoint only for
   * users with the permission to override.
   */
  public Decision override(AdmissionRequest request) {
    var result = judge(request);
    var hash = result.hash();
    return hash != null
            && (result.reason().isKnownInvalid() || result.reason() == Reason.NOT_READY)
            && DenialMessage.overrideHash(request).equals(hash.toString())
        ? result.toDecision(Reason.OVERRIDDEN, "")
        : deny(request, result);
  }

  /** The API server may cut long warnings. */
  private Decision decision(AdmissionRequest request, Result result) {
    return result.toDecision(
        result.reason(),
        switch (result.reason()) {
          case KNOWN_INVALID, PROBE -> DenialMessage.of(request, result, overrideRole);
          case EQUAL_BUT_FOR_SECRETS ->
              "known invalid but for secrets, which are not compared: equals " + result.subject();
          case SUSPECTED ->
              "suspected invalid, as no node has reported the failure yet: equals "
                  + result.subject();
          default -> result.message();
        });
  }

  private Result judge(AdmissionRequest request) {
    if (!request.writesAnObject()) {
      return Result.of(Reason.NO_CONFIGURATION_WRITTEN);
    }
    var guard = guards.get(request.resource().toString());
    if (guard == null) {
      return Result.of(Reason.NOT_GUARDED);
    }
    var version = guard.resource().version();
    if (!version.equals(request.resource().version())) {
      return Result.of(
          Reason.OTHER_VERSION,
          "%s are guarded in version %s, not %s: register the webhook for %s with matchPolicy Equivalent"
              .formatted(request.resource(), version, request.resource().version(), version));
    }
    if (request.object().isMissingNode()) {
      return Result.of(Reason.BAD_REQUEST, "request.object is missing");
    }
    // If the field is missing, as after a typo in identity.content, all hashes are equal.
    if (!request.object().hasNonNull(guard.identity().content())) {
      return Result.of(Reason.NO_CONFIGURATION_WRITTEN);
    }
    return switch (guard.roleOf(request.object())) {
      case Role.InvalidRecord _, Role.Backup _ -> Result.of(Reason.RECORD);
      case Role.Current(var node) -> judge(guard, request, node);
    };
  }

  private Result judge(Guard guard, AdmissionRequest request, String node) {
    var hash = guard.identity().hash(request.object());
    var unusable = unavailableReason.apply(guard);
    if (unusable.isPresent()) {
      return withoutIndex(guard, request, node, hash, unusable.get());
    }
    var matches = known.evidence(guard, request.namespace(), request.name(), node, hash);
    if (matches.isEmpty()) {
      return Result.of(Reason.NOT_KNOWN_INVALID);
    }
    if (isUnchanged(guard, request, hash)) {
      return Result.of(Reason.UNCHANGED);
    }
    var exemption = exemptions.exemption(guard, request, node, hash, matches);
    if (exemption.isPresent()) {
      return Result.of(exemption.get(), guard, hash, matches);
    }
    var proven = matches.stream().filter(evidence -> !evidence.onlyWarns()).toList();
    if (areSecretsUnknown(guard, request, proven.isEmpty() ? matches : proven)) {
      return Result.of(Reason.EQUAL_BUT_FOR_SECRETS, guard, hash, matches);
    }
    if (proven.isEmpty()) {
      return Result.of(Reason.SUSPECTED, guard, hash, matches);
    }
    return Result.of(
        guard.isProbe(hash) ? Reason.PROBE : Reason.KNOWN_INVALID, guard, hash, proven);
  }

  /**
   * Whether equal hashes do not prove equal configurations. Secrets are in no hash: the failure may
   * come from a wrong password, and this write may correct it. Equal hashes are proof only if the
   * written object and at least one object of the evidence have no secrets.
   */
  private static boolean areSecretsUnknown(
      Guard guard, AdmissionRequest request, List<Evidence> matches) {
    return guard.identity().holdsSecrets(request.object())
        || matches.stream().allMatch(Evidence::holdsSecrets);
  }

  private Result withoutIndex(
      Guard guard, AdmissionRequest request, String node, ConfigHash hash, String message) {
    if (isUnchanged(guard, request, hash)) {
      return Result.of(Reason.UNCHANGED);
    }
    var reason =
        exemptions.exemptionWithoutIndex(guard, request, node, hash).orElse(Reason.NOT_READY);
    return new Result(reason, message, guard.name(), hash, List.of());
  }

  private static boolean isUnchanged(Guard guard, AdmissionRequest request, ConfigHash hash) {
    return request.operation() == Operation.UPDATE
        && request.oldObject().isObject()
        && guard.identity().hash(request.oldObject()).equals(hash);
  }
}
