package dev.shipshape.janitor.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.DeploymentPods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether the operator's container dies again and again: the kubelet says so itself
 * (CrashLoopBackOff), or its count of restarts grows too fast. The count is for the pod's whole
 * life, so it is compared with what it was before.
 */
final class CrashLoops {
  private record Seen(Instant at, int restarts) {}

  private final DeploymentPods pods;
  private final String container;
  private final int restarts;
  private final Duration within;
  private final Continuity continuity;
  private final Map<String, List<Seen>> history = new HashMap<>();

  CrashLoops(DeploymentPods pods, String container, int restarts, Duration within) {
    this.pods = pods;
    this.container = container;
    this.restarts = restarts;
    this.within = within;
    this.continuity = new Continuity(within);
  }

  synchronized Evidence look(Instant now) {
    if (continuity.isBroken(now)) {
      history.clear();
    }
    var there = new HashSet<String>();
    var found = new Found();
    try {
      pods.living(pod -> judge(pod, now, there, found));
    } catch (ApiFailure e) {
      return new Evidence.Unknown(String.valueOf(e.getMessage()));
    }
    continuity.looked(now);
    history.keySet().retainAll(there);
    return found.evidence;
  }

  private static final class Found {
    private Evidence evidence = new Evidence.Absent();
  }

  private void judge(JsonNode pod, Instant now, Set<String> there, Found found) {
    var uid = pod.at("/metadata/uid").asText();
    var name = pod.at("/metadata/name").asText();
    there.add(uid);
    for (var status : pod.at("/status/containerStatuses")) {
      if (status.path("name").asText().equals(container)) {
        var count = status.path("restartCount").asInt();
        var grown = grown(uid, count, now);
        if (status.at("/state/waiting/reason").asText().equals("CrashLoopBackOff")) {
          found.evidence =
              new Evidence.Present(
                  "pod %s is in CrashLoopBackOff, restarted %d times".formatted(name, count));
        } else if (grown >= restarts) {
          found.evidence =
              new Evidence.Present(
                  "pod %s was restarted %d times within %s".formatted(name, grown, within));
        }
      }
    }
  }

  /** By how much the count has grown within the time, as far as we have looked on. */
  private int grown(String uid, int count, Instant now) {
    var seen = history.computeIfAbsent(uid, _ -> new ArrayList<>());
    if (seen.isEmpty() || seen.getLast().restarts() != count) {
      seen.add(new Seen(now, count));
    }
    var begin = now.minus(within);
    // The last of those from before tells what the count was when the time began.
    while (seen.size() > 1 && !seen.get(1).at().isAfter(begin)) {
      seen.removeFirst();
    }
    return count - seen.getFirst().restarts();
  }
}
