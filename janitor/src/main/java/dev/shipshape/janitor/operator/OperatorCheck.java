package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.operator.RestartGovernor.Decision;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.prune.PruneReport;
import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks whether the operator is stuck, and if so prunes and restarts it. */
public final class OperatorCheck {
  private static final Logger logger = LoggerFactory.getLogger(OperatorCheck.class);

  private final OperatorLog log;
  private final Symptoms symptoms;
  private final OperatorDeployment deployment;
  private final RestartGovernor governor;
  private final Supplier<PruneReport> pruneFirst;
  private final StopSignal stop;
  private final InstantSource clock;
  private volatile boolean following = true;

  OperatorCheck(
      OperatorLog log,
      Symptoms symptoms,
      OperatorDeployment deployment,
      RestartGovernor governor,
      Supplier<PruneReport> pruneFirst,
      StopSignal stop,
      InstantSource clock) {
    this.log = log;
    this.symptoms = symptoms;
    this.deployment = deployment;
    this.governor = governor;
    this.pruneFirst = pruneFirst;
    this.stop = stop;
    this.clock = clock;
  }

  /**
   * A check as the settings say.
   *
   * @param pruneFirst one run of the pruner, which waits for the sessions alone
   */
  public static OperatorCheck of(
      OperatorSettings settings,
      KubernetesApi api,
      Supplier<PruneReport> pruneFirst,
      StopSignal stop,
      InstantSource clock) {
    var file = settings.logFile();
    return new OperatorCheck(
        file == null
            ? new PodLogs(api, settings.namespace(), settings.podLabels(), settings.container())
            : new FileLog(file),
        settings.symptoms(),
        new OperatorDeployment(
            api, settings.namespace(), settings.deployment(), settings.container()),
        settings.governor(),
        pruneFirst,
        stop,
        clock);
  }

  /**
   * One check. A restart without pruning first would only replay every session to the operator, so
   * sessions go first; and nothing is pruned out of turn where no restart may follow.
   *
   * @param armed false to report only
   */
  public OperatorReport run(boolean armed) {
    var diagnosis = diagnose();
    var aftermath = followUp(diagnosis);
    return run(diagnosis, armed).with(aftermath);
  }

  private OperatorReport run(Diagnosis diagnosis, boolean armed) {
    if (!(diagnosis instanceof Diagnosis.Stuck stuck)) {
      return OperatorReport.calm(diagnosis);
    }
    logger.warn(
        "operator: {} is stuck: its log ({}) shows {} watch failures from {} to {} and no progress"
            + " since",
        deployment.reference(),
        stuck.source(),
        stuck.failures(),
        stuck.first(),
        stuck.last());
    try {
      return treat(stuck, armed);
    } catch (ApiFailure e) {
      return refused(stuck, Optional.empty(), Refusal.FAILED, String.valueOf(e.getMessage()));
    }
  }

  private OperatorReport treat(Diagnosis.Stuck stuck, boolean armed) {
    var before = deployment.read();
    if (governor.decide(before, clock.instant()) instanceof Decision.Refuse refuse) {
      return refused(stuck, Optional.empty(), refuse.reason(), refuse.detail());
    }
    if (!armed) {
      return refused(
          stuck, Optional.empty(), Refusal.NOT_ARMED, "it would be restarted (restart.armed)");
    }
    final Optional<PruneReport> pruned;
    try {
      pruned = Optional.of(pruneFirst.get());
    } catch (ApiFailure e) {
      return refused(stuck, Optional.empty(), Refusal.PRUNE_FAILED, String.valueOf(e.getMessage()));
    }
    return restart(stuck, pruned);
  }

  /** Pruning took its time, so the Deployment is read and judged again. */
  private OperatorReport restart(Diagnosis.Stuck stuck, Optional<PruneReport> pruned) {
    var now = clock.instant();
    var rollout = deployment.read();
    if (governor.decide(rollout, now) instanceof Decision.Refuse refuse) {
      return refused(stuck, pruned, refuse.reason(), refuse.detail());
    }
    if (stop.isStopped()) {
      return refused(stuck, pruned, Refusal.STOPPING, "no longer ours to do");
    }
    var reason =
        "%d watch failures from %s to %s".formatted(stuck.failures(), stuck.first(), stuck.last());
    var answer = deployment.restart(rollout, reason, now);
    if (answer.code() == 409) {
      return refused(stuck, pruned, Refusal.CHANGED, "it changed meanwhile; judged anew next time");
    }
    if (!answer.isSuccessful()) {
      return refused(
          stuck,
          pruned,
          Refusal.FAILED,
          "the patch was answered %d: %s".formatted(answer.code(), answer.message()));
    }
    following = true;
    logger.warn("operator: restarted {}: {}", deployment.reference(), reason);
    var restarted = new RestartOutcome.Restarted(now.truncatedTo(ChronoUnit.SECONDS));
    return OperatorReport.of(stuck, pruned, restarted);
  }

  /** Asks the cluster only while a restart is open, and once after the janitor's own start. */
  private Optional<Aftermath> followUp(Diagnosis diagnosis) {
    if (!following) {
      return Optional.empty();
    }
    try {
      var now = clock.instant();
      var rollout = deployment.read();
      following = FollowUp.isDue(rollout, now);
      var aftermath =
          following
              ? FollowUp.of(rollout, diagnosis, symptoms.window(), now)
              : Optional.<Aftermath>empty();
      aftermath.ifPresent(this::tell);
      return aftermath;
    } catch (ApiFailure e) {
      logger.warn("operator: its last restart could not be followed: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private void tell(Aftermath aftermath) {
    following = false;
    if (aftermath == Aftermath.CURED) {
      logger.info("operator: {}: the restart is complete and helped", deployment.reference());
    } else {
      logger.error("operator: {}: the restart came to {}", deployment.reference(), aftermath);
    }
  }

  private Diagnosis diagnose() {
    var now = clock.instant();
    var since = now.minus(symptoms.window());
    try {
      var scans = log.read(since, source -> new LogScan(source, symptoms, since, now));
      return worst(scans.stream().map(LogScan::diagnosis).toList());
    } catch (ApiFailure | IOException e) {
      logger.warn("operator: its log could not be read: {}", e.toString());
      return new Diagnosis.Unreadable(e.toString());
    }
  }

  /** With more than one instance (two overlap in a rollout), the one in the worst state counts. */
  private static Diagnosis worst(List<Diagnosis> diagnoses) {
    return diagnoses.stream()
        .max(Comparator.comparingInt(OperatorCheck::severity))
        .orElse(new Diagnosis.Unreadable("no pod of the operator has a log of that container"));
  }

  private static int severity(Diagnosis diagnosis) {
    return switch (diagnosis) {
      case Diagnosis.Healthy _ -> 0;
      case Diagnosis.Recovered _ -> 1;
      case Diagnosis.Unreadable _ -> 2;
      case Diagnosis.Failing _ -> 3;
      case Diagnosis.Stuck _ -> 4;
    };
  }

  private OperatorReport refused(
      Diagnosis diagnosis, Optional<PruneReport> pruned, Refusal reason, String detail) {
    logger.warn("operator: {} is not restarted: {}: {}", deployment.reference(), reason, detail);
    return OperatorReport.of(diagnosis, pruned, new RestartOutcome.Refused(reason, detail));
  }
}
