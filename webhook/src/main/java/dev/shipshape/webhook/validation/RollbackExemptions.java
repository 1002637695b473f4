package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.Operation;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.RecordNames;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.index.LastKnownGood;
import dev.shipshape.webhook.index.RolloutWatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes that bring back what worked, which pass although the configuration is known invalid. */
public final class RollbackExemptions {
  private final LastKnownGood worked;
  private final Map<String, RolloutWatch> rollouts;

  /**
   * @param rollouts by the name of the guard
   */
  public RollbackExemptions(LastKnownGood worked, Map<String, RolloutWatch> rollouts) {
    this.worked = worked;
    this.rollouts = Map.copyOf(rollouts);
  }

  /** Why the write passes; empty where it brings nothing back. */
  Optional<Reason> grounds(
      GuardIndex guarded,
      AdmissionRequest request,
      String node,
      ConfigHash hash,
      List<Evidence> known) {
    if (restoresBackup(guarded, request, node, hash)) {
      return Optional.of(Reason.RESTORES_BACKUP);
    }
    return isOfRollout(guarded, request)
        ? ofRollout(guarded, request, node, hash, known)
        : Optional.empty();
  }

  /**
   * The same by what was known last, where that is not all, or old. A backup passes all the same:
   * it beats whatever is known invalid, and one that is no longer the node's once was.
   */
  Optional<Reason> groundsWithoutIndex(
      GuardIndex guarded, AdmissionRequest request, String node, ConfigHash hash) {
    if (restoresBackup(guarded, request, node, hash)) {
      return Optional.of(Reason.RESTORES_BACKUP);
    }
    return isOfRollout(guarded, request) ? Optional.of(Reason.ROLLOUT) : Optional.empty();
  }

  /**
   * Whether a rollout that is going on updates an object, this way or that, or creates a record:
   * only an object that is there can go back.
   */
  private boolean isOfRollout(GuardIndex guarded, AdmissionRequest request) {
    var rollout = rollouts.get(guarded.guard().name());
    var records = guarded.guard().records();
    var isRecord = records != null && records.isNamedLikeOne(request.name());
    return rollout != null
        && (request.operation() == Operation.UPDATE || isRecord)
        && rollout.mayGoBack(request.user());
  }

  private Optional<Reason> ofRollout(
      GuardIndex guarded,
      AdmissionRequest request,
      String node,
      ConfigHash hash,
      List<Evidence> known) {
    // What failed on this very node is nothing that it can go back to, unless it is the backup.
    var failedHere = known.stream().anyMatch(finding -> finding.nodes().contains(node));
    var records = guarded.guard().records();
    if (records == null) {
      return failedHere ? Optional.empty() : Optional.of(Reason.ROLLOUT);
    }
    if (records.isNamedLikeOne(request.name())) {
      return Optional.of(Reason.RECORD);
    }
    var isBackup = isNamedBackup(guarded, request, records, node, hash);
    return isBackup || (!failedHere && workedLast(guarded, request, hash))
        ? Optional.of(Reason.ROLLBACK)
        : Optional.empty();
  }

  /**
   * Whether the object that is named as the node's backup holds this, whoever owns it: the operator
   * that says when its rollout goes on gives its records no owner.
   */
  private static boolean isNamedBackup(
      GuardIndex guarded,
      AdmissionRequest request,
      RecordNames records,
      String node,
      ConfigHash hash) {
    return guarded.index().isHeldBy(request.namespace(), records.backupOf(node), hash);
  }

  /** The backup may not have been written, or heard of, yet. */
  private boolean workedLast(GuardIndex guarded, AdmissionRequest request, ConfigHash hash) {
    var key = IndexedObject.key(request.namespace(), request.name());
    return worked.workedLast(guarded.guard(), key, hash);
  }

  private static boolean restoresBackup(
      GuardIndex guarded, AdmissionRequest request, String node, ConfigHash hash) {
    var records = guarded.guard().records();
    return records != null
        && guarded.index().isBackup(request.namespace(), records.backupOf(node), node, hash);
  }
}
