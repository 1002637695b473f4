package dev.shipshape.plugin.release;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.Console;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Waits until what was installed works, and shows that it waits. */
public final class Rollout {
  private static final Duration PACE = Duration.ofMillis(500);

  private final Installed installed;
  private final Console console;

  /** Of the release's objects in the cluster of {@code api}. */
  public Rollout(KubernetesApi api, Release release, Console console) {
    this.installed = new Installed(api, release);
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
    var said = "";
    while (true) {
      var missing = missing();
      if (missing.isEmpty() || System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
        return missing.isEmpty() ? missing : withTroubles(missing);
      }
      var now = String.join("; ", missing);
      if (!now.equals(said)) {
        console.progress("waiting: " + now);
        said = now;
      }
      LockSupport.parkNanos(PACE.toNanos());
    }
  }

  /** Helm has deployed by now: one answer that does not come is not the end of the wait. */
  private List<String> missing() {
    try {
      return found();
    } catch (ApiFailure e) {
      return List.of("the API server cannot be asked: " + e.getMessage());
    }
  }

  private List<String> found() {
    var deployments = installed.deployments();
    if (deployments.isEmpty()) {
      return List.of("there is no Deployment yet");
    }
    // Old pods still answer calls, by their own settings, until they have ended.
    var ending =
        installed.pods().stream()
            .filter(pod -> pod.path("metadata").has("deletionTimestamp"))
            .count();
    return Stream.of(
            deployments.stream()
                .filter(deployed -> !deployed.rolledOut())
                .map(Installed.Deployed::toString),
            ending == 0
                ? Stream.<String>empty()
                : Stream.of(
                    ending
                        + " old pods end (once the API server has closed its idle connections to"
                        + " them, which it does after 90 s)"),
            installed
                .webhookConfigurations()
                .filter(configuration -> !WebhookConfiguration.of(configuration).hasAuthority())
                .map(
                    configuration ->
                        "%s has no caBundle"
                            .formatted(configuration.path("kind").asText("webhook configuration"))),
            installed.notAsWished().stream())
        .flatMap(lines -> lines)
        .toList();
  }

  private List<String> withTroubles(List<String> missing) {
    return Stream.concat(missing.stream(), installed.troubles(Instant.now()).stream()).toList();
  }
}
