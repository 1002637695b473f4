package dev.shipshape.webhook;

import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.guard.RecordNames;
import dev.shipshape.webhook.guard.RevisionLink;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.index.RolloutWatch;
import dev.shipshape.webhook.index.WorkedLedger;
import dev.shipshape.webhook.review.AdmissionRequest;
import dev.shipshape.webhook.review.Operation;
import dev.shipshape.webhook.review.ReviewObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes that bring back what worked, which pass although the configuration is known invalid. */
final class Restorations {
  private final Guards guards;
  private final Revisions revisions;
  private final WorkedLedger worked;
  private final Map<String, RolloutWatch> rollouts;

  /**
   * @param rollouts by the name of the guard
   */
  Restorations(
      Guards guards, Revisions revisions, WorkedLedger worked, Map<String, RolloutWatch> rollouts) {
    this.guards = guards;
    this.revisions = revisions;
    this.worked = worked;
    this.rollouts = Map.copyOf(rollouts);
  }

  /** Why the write passes; empty where it brings nothing back. */
  Optional<Grounds> grounds(
      GuardIndex guarded,
      AdmissionRequest request,
      String node,
      ConfigHash hash,
      List<Finding> known) {
    if (restoresBackup(guarded, request, node, hash)) {
      return Optional.of(Grounds.RESTORES_BACKUP);
    }
    var link = guarded.guard().revisions();
    // By an old list, what is the newest may have become invalid since.
    if (link != null && guards.isUsable(link.guard()) && isOfNewestValid(link, request.written())) {
      return Optional.of(Grounds.NEWEST_VALID_REVISION);
    }
    return isOfRollout(guarded, request)
        ? ofRollout(guarded, request, node, hash, known)
        : Optional.empty();
  }

  private boolean isOfNewestValid(RevisionLink link, ReviewObject written) {
    return revisions.isOfNewestValid(link, written.text(link.field()), written.head());
  }

  /**
   * The same by what was known last, where that is not all, or old. A backup passes all the same:
   * it beats whatever is known invalid, and one that is no longer the node's once was.
   */
  Optional<Grounds> groundsWithoutIndex(
      GuardIndex guarded, AdmissionRequest request, String node, ConfigHash hash) {
    if (restoresBackup(guarded, request, node, hash)) {
      return Optional.of(Grounds.RESTORES_BACKUP);
    }
    return isOfRollout(guarded, request) ? Optional.of(Grounds.ROLLOUT) : Optional.empty();
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

  private Optional<Grounds> ofRollout(
      GuardIndex guarded,
      AdmissionRequest request,
      String node,
      ConfigHash hash,
      List<Finding> known) {
    // What failed on this very node is nothing that it can go back to, unless it is the backup.
    var failedHere = known.stream().anyMatch(finding -> finding.nodes().contains(node));
    var records = guarded.guard().records();
    if (records == null) {
      return failedHere ? Optional.empty() : Optional.of(Grounds.ROLLOUT);
    }
    if (records.isNamedLikeOne(request.name())) {
      return Optional.of(Grounds.RECORD);
    }
    var isBackup = isNamedBackup(guarded, request, records, node, hash);
    return isBackup || (!failedHere && workedLast(guarded, request, hash))
        ? Optional.of(Grounds.ROLLBACK)
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
