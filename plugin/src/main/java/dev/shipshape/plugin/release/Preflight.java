package dev.shipshape.plugin.release;

import dev.shipshape.plugin.release.CheckResult.Level;
import dev.shipshape.webhook.config.GuardReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.regex.Pattern;

/** Checks a cluster before an installation. Changes nothing. */
public final class Preflight {
  /**
   * The chart's kubeVersion, for the janitor alone; the chart refuses what a webhook cannot run on.
   */
  private static final int OLDEST_MINOR = 24;

  private static final int OLDEST_HELM_MAJOR = 3;
  private static final int OLDEST_HELM_MINOR = 18;
  private static final Pattern HELM_VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\.");

  private final KubernetesClient client;

  public Preflight(KubernetesClient client) {
    this.client = client;
  }

  /**
   * The results.
   *
   * @param presets those whose resources the cluster serves
   */
  public record Report(List<CheckResult> results, List<String> presets) {
    public Report {
      results = List.copyOf(results);
      presets = List.copyOf(presets);
    }
  }

  /**
   * Checks the cluster.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server does not
   *     respond
   */
  public Report look() {
    var presets = GuardReader.DEFAULT_PRESETS.stream().filter(this::isServed).toList();
    return new Report(
        List.of(
            version(),
            presets.isEmpty()
                ? new CheckResult(
                    Level.NOTE,
                    "node configurations: none of the presets' resources is there yet; the webhook"
                        + " waits for them")
                : new CheckResult(Level.GOOD, "node configurations: presets " + presets),
            sessions()),
        presets);
  }

  /**
   * Checks Helm's version.
   *
   * @param version such as {@code v3.22.0}
   */
  static CheckResult helm(String version) {
    var numbers = HELM_VERSION.matcher(version);
    if (!numbers.lookingAt()) {
      return new CheckResult(Level.NOTE, "Helm: " + version + " (newer than any tested version)");
    }
    var major = Integer.parseInt(numbers.group(1));
    var minor = Integer.parseInt(numbers.group(2));
    return major > OLDEST_HELM_MAJOR || (major == OLDEST_HELM_MAJOR && minor >= OLDEST_HELM_MINOR)
        ? new CheckResult(Level.GOOD, "Helm: " + version)
        : new CheckResult(
            Level.WRONG,
            "Helm: %s is older than %d.%d, the oldest that works"
                .formatted(version, OLDEST_HELM_MAJOR, OLDEST_HELM_MINOR));
  }

  private CheckResult version() {
    var found = client.getKubernetesVersion();
    var version = found.getGitVersion();
    var minor = Integer.parseInt(found.getMinor().replaceAll("\\D.*", ""));
    return minor >= OLDEST_MINOR
        ? new CheckResult(Level.GOOD, "Kubernetes: " + version)
        : new CheckResult(
            Level.WRONG,
            "Kubernetes: %s is older than 1.%d, the oldest that works"
                .formatted(version, OLDEST_MINOR));
  }

  private boolean isServed(String preset) {
    return GuardReader.preset(preset).stream()
        .anyMatch(
            guard ->
                serves(
                    client,
                    guard.resource().group(),
                    guard.resource().version(),
                    guard.resource().plural()));
  }

  private CheckResult sessions() {
    return serves(client, "cms.cray.com", "v1", "cfsessions")
        ? new CheckResult(Level.GOOD, "sessions: custom resources cfsessions.cms.cray.com")
        : new CheckResult(
            Level.NOTE,
            "sessions: not custom resources here; the janitor asks the CFS service at its"
                + " configured address");
  }

  /** Whether the cluster serves a resource. */
  static boolean serves(KubernetesClient client, String group, String version, String plural) {
    var list = client.getApiResources(group + "/" + version);
    return list != null
        && list.getResources().stream().anyMatch(each -> each.getName().equals(plural));
  }
}
