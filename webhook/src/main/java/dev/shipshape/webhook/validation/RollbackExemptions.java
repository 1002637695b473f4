package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.Operation;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.Evidence;
import dev.shipshape.webhook.known.KnownInvalid;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Allows writes that restore a good configuration, although the configuration is known invalid. */
public final class RollbackExemptions {
  private final KnownInvalid known;
  private final Predicate<Guard> isRollingOut;

  public RollbackExemptions(KnownInvalid known, Predicate<Guard> isRollingOut) {
    this.known = known;
    this.isRollingOut = isRollingOut;
  }

  /** Returns why the write is exempt; empty if it is not. */
  Optional<Reason> exemption(
      Guard guard,
      AdmissionRequest request,
      String node,
      ConfigHash hash,
      List<Evidence> evidence) {
    return ofBackup(guard, request, node, hash)
        .or(
            () ->
                isOfRollout(guard, request)
                    ? ofRollout(guard, request, node, hash, evidence)
                    : Optional.empty());
  }

  /**
   * Returns why the write is exempt while the index is incomplete or stale. A backup is exempt all
   * the same: it takes precedence over evidence, and an outdated one was good once.
   */
  Optional<Reason> exemptionWithoutIndex(
      Guard guard, AdmissionRequest request, String node, ConfigHash hash) {
    return ofBackup(guard, request, node, hash)
        .or(() -> isOfRollout(guard, request) ? Optional.of(Reason.ROLLOUT) : Optional.empty());
  }

  /** Exempts the node's backup; without records, its last known good configuration. */
  private Optional<Reason> ofBackup(
      Guard guard, AdmissionRequest request, String node, ConfigHash hash) {
    var records = guard.records();
    if (records == null) {
      return guard.namesNodes() && isLastKnownGood(guard, request, hash)
          ? Optional.of(Reason.ROLLBACK)
          : Optional.empty();
    }
    return known.isBackup(guard, request.namespace(), records.backupOf(node), node, hash)
        ? Optional.of(Reason.RESTORES_BACKUP)
        : Optional.empty();
  }

  /** An update, forward or back, or a record: a created object cannot be a rollback. */
  private boolean isOfRollout(Guard guard, AdmissionRequest request) {
    var rollout = guard.rollout();
    var records = guard.records();
    var isRecord = records != null && records.hasRecordSuffix(request.name());
    return rollout != null
        && (request.operation() == Operation.UPDATE || isRecord)
        && request.user().equals(rollout.serviceAccount())
        && isRollingOut.test(guard);
  }

  private Optional<Reason> ofRollout(
      Guard guard,
      AdmissionRequest request,
      String node,
      ConfigHash hash,
      List<Evidence> evidence) {
    var isLastKnownGood = isLastKnownGood(guard, request, hash);
    var records = guard.records();
    if (records == null) {
      return isLastKnownGood ? Optional.of(Reason.ROLLBACK) : Optional.empty();
    }
    if (records.hasRecordSuffix(request.name())) {
      return Optional.of(Reason.RECORD);
    }
    // A configuration that failed on this node is no rollback, unless it is the backup.
    var failedHere =
        evidence.stream()
            .filter(finding -> !finding.onlyWarns())
            .anyMatch(finding -> finding.nodes().contains(node));
    // The backup needs no owner: operators that report a rollout write records without owner.
    var isBackup = known.isHeldBy(guard, request.namespace(), records.backupOf(node), hash);
    return isBackup || (!failedHere && isLastKnownGood)
        ? Optional.of(Reason.ROLLBACK)
        : Optional.empty();
  }

  /** The backup record may not be written or seen yet. */
  private boolean isLastKnownGood(Guard guard, AdmissionRequest request, ConfigHash hash) {
    return known.isLastKnownGood(guard, request.namespace(), request.name(), hash);
  }
}
