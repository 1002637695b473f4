package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.event.KubernetesEvents;
import dev.shipshape.janitor.event.Subject;
import dev.shipshape.janitor.evidence.Silence;
import dev.shipshape.janitor.evidence.WaitingSessions;
import dev.shipshape.janitor.kubernetes.DeploymentPods;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.maintenance.Maintenance;
import dev.shipshape.janitor.pace.CancellationToken;
import java.time.Duration;
import java.time.InstantSource;

/** Looks whether the operator is stuck, and if so prunes and restarts it. */
public final class OperatorCheck {
  /** A log that takes longer than this is not worth the check's time. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** With the pruning before a restart. */
  private static final Duration LONGEST_CHECK = Duration.ofMinutes(5);

  private final Examination examination;
  private final Treatment treatment;
  private final Aftercare aftercare;
  private final Announcements announcements;
  private final InstantSource clock;

  private OperatorCheck(
      Examination examination,
      Treatment treatment,
      Aftercare aftercare,
      Announcements announcements,
      InstantSource clock) {
    this.examination = examination;
    this.treatment = treatment;
    this.aftercare = aftercare;
    this.announcements = announcements;
    this.clock = clock;
  }

  /**
   * A check as the settings say.
   *
   * @param events where changes are told
   */
  public static OperatorCheck of(
      OperatorSettings settings,
      KubernetesApi api,
      WaitingSessions sessions,
      PruneFirst pruneFirst,
      KubernetesEvents events,
      CancellationToken stop,
      InstantSource clock) {
    var longestGap = settings.checkEvery().multipliedBy(2).plus(LONGEST_CHECK);
    var pods = new DeploymentPods(api, settings.namespace(), settings.deployment());
    var examination =
        new Examination(
            log(settings, api, pods),
            settings.symptoms(),
            settings.evidence(),
            new Silence(settings.evidence().silence().after(), sessions),
            sessions,
            clock);
    var deployment =
        new OperatorDeployment(
            api, settings.namespace(), settings.deployment(), settings.container());
    var treatment =
        new Treatment(
            deployment,
            Maintenance.of(settings.maintenance()),
            settings.governor(),
            sessions,
            settings.requireWaitingSession(),
            pruneFirst,
            stop,
            settings.symptoms().window(),
            clock);
    return new OperatorCheck(
        examination,
        treatment,
        new Aftercare(deployment.reference(), settings.symptoms().window(), longestGap),
        new Announcements(
            events,
            new Subject("apps/v1", "Deployment", settings.namespace(), settings.deployment(), "")),
        clock);
  }

  private static OperatorLog log(
      OperatorSettings settings, KubernetesApi api, DeploymentPods pods) {
    var file = settings.logFile();
    return file == null
        ? new PodLogs(api, settings.namespace(), pods, settings.container(), PATIENCE)
        : new FileLog(file);
  }

  /**
   * One check: looks, tells what became of an earlier restart, does what is needed, and says what
   * changed.
   *
   * @param armed false to report only
   */
  public OperatorReport run(boolean armed) {
    var findings = examination.look();
    var standing = treatment.standing();
    var aftermath = aftercare.look(standing, findings.symptom(), clock.instant());
    aftermath.ifPresent(found -> treatment.remember(standing, found));
    var result = treatment.treat(findings, standing, armed);
    var restarted = result.restart() instanceof RestartOutcome.Restarted;
    var report =
        new OperatorReport(
            result.findings().diagnosis(),
            result.findings().evidence(),
            result.findings().waiting(),
            result.pruned(),
            result.restart(),
            aftermath,
            restarted ? GovernorState.COOLING : GovernorState.of(standing.decision()));
    var rollout = standing.rollout();
    announcements.tell(report, rollout == null ? "" : rollout.uid());
    return report;
  }
}
