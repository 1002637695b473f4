package dev.shipshape.plugin.release;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Waits until what was installed works, and shows that it waits. */
public final class RolloutWaiter {
  private static final Duration INTERVAL = Duration.ofMillis(500);

  private final ReleaseObjects objects;
  private final Console console;

  public RolloutWaiter(KubernetesClient client, HelmRelease release, Console console) {
    this.objects = new ReleaseObjects(client, release);
    this.console = console;
  }

  /**
   * Waits until every replica is ready, both webhook configurations have their authority, and every
   * guard is armed or not as it is to be.
   *
   * @return what is still wrong when the time is over; empty where all is well
   */
  public List<String> await(Duration limit) {
    var end = System.nanoTime() + limit.toNanos();
    var shown = "";
    while (true) {
      var missing = missing();
      if (missing.isEmpty() || System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
        return missing.isEmpty() ? missing : withProblems(missing);
      }
      var now = String.join("; ", missing);
      if (!now.equals(shown)) {
        console.progress("waiting: " + now);
        shown = now;
      }
      LockSupport.parkNanos(INTERVAL.toNanos());
    }
  }

  /** Helm has deployed by now: one answer that does not come is not the end of the wait. */
  private List<String> missing() {
    try {
      return found();
    } catch (KubernetesClientException e) {
      return List.of("the API server cannot be asked: " + ApiErrors.reason(e));
    }
  }

  private List<String> found() {
    var deployments = objects.deployments().stream().map(DeploymentRollout::of).toList();
    if (deployments.isEmpty()) {
      return List.of("there is no Deployment yet");
    }
    // Old pods still answer calls, by their own settings, until they have ended.
    var ending =
        objects.pods().stream()
            .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
            .count();
    return Stream.of(
            deployments.stream()
                .filter(deployment -> !deployment.isComplete())
                .map(DeploymentRollout::toString),
            ending == 0
                ? Stream.<String>empty()
                : Stream.of(
                    ending
                        + " old pods end (once the API server has closed its idle connections to"
                        + " them, which it does after 90 s)"),
            objects.webhookConfigurations().stream()
                .filter(configuration -> !configuration.hasAuthority())
                .map(configuration -> configuration.kind() + " has no caBundle"),
            objects.guardsToChange().stream())
        .flatMap(lines -> lines)
        .toList();
  }

  private List<String> withProblems(List<String> missing) {
    return Stream.concat(missing.stream(), objects.problems(Instant.now()).stream()).toList();
  }
}
