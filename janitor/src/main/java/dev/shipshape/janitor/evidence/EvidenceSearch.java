package dev.shipshape.janitor.evidence;

import dev.shipshape.janitor.evidence.Evidence.Kind;
import dev.shipshape.janitor.kubernetes.DeploymentPods;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks for every kind of evidence at each check. What fails to be looked at is unknown. */
public final class EvidenceSearch {
  private final Silence silence;
  private final CrashLoops crashLoops;
  private final Canary canary;

  /**
   * @param pods the operator's
   * @param container the operator's
   * @param sessionsNamespace where the sessions and their Jobs are, which the operator watches
   * @param longestGap between two looks; after a longer one nobody may have looked meanwhile
   */
  public EvidenceSearch(
      EvidenceSettings settings,
      KubernetesApi api,
      DeploymentPods pods,
      String container,
      String sessionsNamespace,
      WaitingSessions sessions,
      Duration longestGap) {
    this.silence = new Silence(settings.silence().after(), sessions);
    this.crashLoops =
        new CrashLoops(
            pods, container, settings.crashLoop().restarts(), settings.crashLoop().within());
    this.canary =
        new Canary(
            api,
            watchedByTheOperator(sessionsNamespace),
            settings.canary().repetitions(),
            longestGap);
  }

  /**
   * One look.
   *
   * @param lastSign when the operator last gave a sign of life; null where that is unknown
   */
  public Map<Kind, Evidence> search(@Nullable Instant lastSign, Instant now) {
    var found = new EnumMap<Kind, Evidence>(Kind.class);
    found.put(Kind.SILENCE, silence.judge(lastSign, now));
    found.put(Kind.CRASH_LOOP, crashLoops.look(now));
    found.put(Kind.CANARY, canary.look(now));
    return found;
  }

  static List<String> watchedByTheOperator(String namespace) {
    return List.of(
        "/apis/batch/v1/namespaces/%s/jobs?labelSelector=app.kubernetes.io%%2Fname%%3Dcray-cfs-aee"
            .formatted(namespace),
        "/apis/cms.cray.com/v1/namespaces/%s/cfsessions?labelSelector=".formatted(namespace));
  }
}
