package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.event.KubernetesEvents;
import dev.shipshape.janitor.event.Notice;
import dev.shipshape.janitor.event.Subject;
import dev.shipshape.janitor.evidence.Evidence;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people what changed: each restart and what became of it, each new reason of a refusal, each
 * new piece of evidence. What only lasts is not told again.
 */
final class Announcements {
  private static final Logger logger = LoggerFactory.getLogger(Announcements.class);

  private final KubernetesEvents events;
  private final Subject deployment;
  private final Set<Evidence.Kind> standing = EnumSet.noneOf(Evidence.Kind.class);
  private @Nullable Refusal refusal;

  /**
   * @param deployment the operator's, whose uid need not be known
   */
  Announcements(KubernetesEvents events, Subject deployment) {
    this.events = events;
    this.deployment = deployment;
  }

  /**
   * @param uid the Deployment's; empty where unknown
   */
  synchronized void tell(OperatorReport report, String uid) {
    tellEvidence(report.evidence(), uid);
    report.aftermath().ifPresent(aftermath -> publish(uid, notice(aftermath)));
    switch (report.restart()) {
      case RestartOutcome.NotNeeded _ -> refusal = null;
      case RestartOutcome.Restarted restarted -> {
        refusal = null;
        publish(
            uid,
            new Notice(
                true,
                "StuckOperatorRestarted",
                "Restart",
                "restarted at %s: %s".formatted(restarted.at(), restarted.reason())));
      }
      case RestartOutcome.Refused refused -> {
        if (refused.reason() == Refusal.NOT_CONFIRMED) {
          // A step on the way to a restart, or to none.
          return;
        }
        if (refused.reason() != refusal) {
          refusal = refused.reason();
          publish(uid, notice(refused));
        }
      }
    }
  }

  private void tellEvidence(Map<Evidence.Kind, Evidence> found, String uid) {
    for (var kind : Evidence.Kind.values()) {
      switch (found.getOrDefault(kind, new Evidence.Absent())) {
        case Evidence.Present(String detail) -> {
          if (standing.add(kind)) {
            logger.warn("operator: evidence of {}: {}", kind, detail);
            publish(uid, new Notice(true, reason(kind), "Observe", detail));
          }
        }
        case Evidence.Absent _ -> {
          if (standing.remove(kind)) {
            logger.info("operator: no more evidence of {}", kind);
          }
        }
        // Not to know is neither.
        case Evidence.Unknown(String reason) ->
            logger.debug("operator: evidence of {} is unknown: {}", kind, reason);
      }
    }
  }

  private static Notice notice(RestartOutcome.Refused refused) {
    return new Notice(
        true,
        "StuckOperatorNotRestarted",
        "Refuse",
        "%s: %s".formatted(refused.reason(), refused.detail()));
  }

  private static Notice notice(Aftermath aftermath) {
    return switch (aftermath) {
      case CURED ->
          new Notice(false, "RestartCured", "FollowUp", "the restart is complete and helped");
      case OVERDUE ->
          new Notice(
              true, "RestartOverdue", "FollowUp", "the rollout is not complete after ten minutes");
      case REVERTED ->
          new Notice(
              true, "RestartReverted", "FollowUp", "something took the restart's annotation back");
      case INEFFECTIVE ->
          new Notice(
              true,
              "RestartIneffective",
              "FollowUp",
              "the rollout is complete, and it is stuck again");
      case UNCLEAR ->
          new Notice(
              true,
              "RestartUnclear",
              "FollowUp",
              "whether it helped did not show within twenty minutes");
    };
  }

  private static String reason(Evidence.Kind kind) {
    return switch (kind) {
      case SILENCE -> "OperatorSilent";
    };
  }

  private void publish(String uid, Notice notice) {
    events.publish(
        new Subject(
            deployment.apiVersion(),
            deployment.kind(),
            deployment.namespace(),
            deployment.name(),
            uid),
        notice);
  }
}
