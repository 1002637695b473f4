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

/** Writes that bring back what worked, which pass although the configuration is known invalid. */
public final class RollbackExemptions {
  private final KnownInvalid known;
  private final Predicate<Guard> isRollingOut;

  /**
   * @param isRollingOut whether a rollout of a guard is known to go on
   */
  public RollbackExemptions(KnownInvalid known, Predicate<Guard> isRollingOut) {
    this.known = known;
    this.isRollingOut = isRollingOut;
  }

  /** Why the write passes; empty where it brings nothing back. */
  Optional<Reason> grounds(
      Guard guard,
      AdmissionRequest request,
      String node,
      ConfigHash hash,
      List<Evidence> evidence) {
    return ofItsOwn(guard, request, node, hash)
        .or(
            () ->
                isOfRollout(guard, request)
                    ? ofRollout(guard, request, node, hash, evidence)
                    : Optional.empty());
  }

  /**
   * The same by what was known last, where that is not all, or old. A backup passes all the same:
   * it beats whatever is known invalid, and one that is no longer the node's once was.
   */
  Optional<Reason> groundsWithoutIndex(
      Guard guard, AdmissionRequest request, String node, ConfigHash hash) {
    return ofItsOwn(guard, request, node, hash)
        .or(() -> isOfRollout(guard, request) ? Optional.of(Reason.ROLLOUT) : Optional.empty());
  }

  /** The node's backup; where there are no backups, what it last worked with. */
  private Optional<Reason> ofItsOwn(
      Guard guard, AdmissionRequest request, String node, ConfigHash hash) {
    var records = guard.records();
    if (records == null) {
      return guard.namesNodes() && workedLast(guard, request, hash)
          ? Optional.of(Reason.ROLLBACK)
          : Optional.empty();
    }
    return known.isBackup(guard, request.namespace(), records.backupOf(node), node, hash)
        ? Optional.of(Reason.RESTORES_BACKUP)
        : Optional.empty();
  }

  /**
   * Whether a rollout that is going on updates an object, this way or that, or creates a record:
   * only an object that is there can go back.
   */
  private boolean isOfRollout(Guard guard, AdmissionRequest request) {
    var rollout = guard.rollout();
    var records = guard.records();
    var isRecord = records != null && records.isNamedLikeOne(request.name());
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
    // What failed on this very node is nothing that it can go back to, unless it is the backup.
    var failedHere =
        evidence.stream()
            .anyMatch(finding -> !finding.onlyWarns() && finding.nodes().contains(node));
    var records = guard.records();
    if (records == null) {
      return failedHere ? Optional.empty() : Optional.of(Reason.ROLLOUT);
    }
    if (records.isNamedLikeOne(request.name())) {
      return Optional.of(Reason.RECORD);
    }
    // Whoever owns it: the operator that says when its rollout goes on gives its records no owner.
    var isBackup = known.isHeldBy(guard, request.namespace(), records.backupOf(node), hash);
    return isBackup || (!failedHere && workedLast(guard, request, hash))
        ? Optional.of(Reason.ROLLBACK)
        : Optional.empty();
  }

  /** The backup may not have been written, or heard of, yet. */
  private boolean workedLast(Guard guard, AdmissionRequest request, ConfigHash hash) {
    return known.isLastKnownGood(guard, request.namespace(), request.name(), hash);
  }
}
