package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.webhook.config.GuardReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Looks at a cluster before something is installed into it. Changes nothing. */
public final class Preflight {
  /** What the chart's objects need; older servers lack matchConditions with an authorizer. */
  private static final int OLDEST_MINOR = 30;

  private static final int OLDEST_HELM_MAJOR = 3;
  private static final int OLDEST_HELM_MINOR = 18;
  private static final Pattern HELM_VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\.");

  private final KubernetesApi api;

  /** Looks at the cluster of {@code api}. */
  public Preflight(KubernetesApi api) {
    this.api = api;
  }

  /** How much a finding matters. */
  public enum Weight {
    GOOD,
    /** Worth knowing; nothing is wrong. */
    NOTE,
    /** It would not work. */
    WRONG
  }

  /**
   * One finding.
   *
   * @param about what was looked at
   * @param found what is so, and what to do where it is wrong
   */
  public record Finding(Weight weight, String about, String found) {}

  /**
   * All that was found.
   *
   * @param presets those whose resources the cluster has
   */
  public record Findings(List<Finding> all, List<String> presets) {
    public Findings {
      all = List.copyOf(all);
      presets = List.copyOf(presets);
    }

    /** These, and one more before them. */
    Findings and(Finding first) {
      return new Findings(Stream.concat(Stream.of(first), all.stream()).toList(), presets);
    }

    /** Whether an installation would work. */
    public boolean good() {
      return all.stream().noneMatch(finding -> finding.weight() == Weight.WRONG);
    }
  }

  /**
   * Looks.
   *
   * @throws dev.shipshape.janitor.kubernetes.ApiFailure where the API server gives no answer
   */
  public Findings look() {
    var findings = new ArrayList<Finding>();
    findings.add(version());
    var presets = GuardReader.PRESETS.stream().filter(this::isServed).toList();
    findings.add(
        presets.isEmpty()
            ? new Finding(
                Weight.NOTE,
                "node configurations",
                "none of the presets' resources is there yet; the webhook waits for them")
            : new Finding(Weight.GOOD, "node configurations", "presets " + presets));
    findings.add(sessions());
    findings.add(optional("cert-manager", "cert-manager.io", "can make the certificates"));
    findings.add(
        optional("Prometheus operator", "monitoring.coreos.com", "will get monitors and alerts"));
    return new Findings(findings, presets);
  }

  /**
   * What Helm's version means.
   *
   * @param version such as {@code v3.22.0}
   */
  static Finding helm(String version) {
    var numbers = HELM_VERSION.matcher(version);
    if (!numbers.lookingAt()) {
      return new Finding(Weight.NOTE, "Helm", version + " (newer than any tested version)");
    }
    var major = Integer.parseInt(numbers.group(1));
    var minor = Integer.parseInt(numbers.group(2));
    return major > OLDEST_HELM_MAJOR || (major == OLDEST_HELM_MAJOR && minor >= OLDEST_HELM_MINOR)
        ? new Finding(Weight.GOOD, "Helm", version)
        : new Finding(
            Weight.WRONG,
            "Helm",
            "%s is older than %d.%d, the oldest that works"
                .formatted(version, OLDEST_HELM_MAJOR, OLDEST_HELM_MINOR));
  }

  private Finding version() {
    var body = api.require("/version").body();
    var version = body.path("gitVersion").asText();
    var minor = Integer.parseInt(body.path("minor").asText("0").replaceAll("\\D.*", ""));
    return minor >= OLDEST_MINOR
        ? new Finding(Weight.GOOD, "Kubernetes", version)
        : new Finding(
            Weight.WRONG,
            "Kubernetes",
            "%s is older than 1.%d, the oldest that works".formatted(version, OLDEST_MINOR));
  }

  private boolean isServed(String preset) {
    return GuardReader.preset(preset).stream()
        .anyMatch(
            guard ->
                serves(
                    api,
                    guard.resource().group(),
                    guard.resource().version(),
                    guard.resource().plural()));
  }

  private Finding sessions() {
    return serves(api, "cms.cray.com", "v1", "cfsessions")
        ? new Finding(Weight.GOOD, "sessions", "custom resources cfsessions.cms.cray.com")
        : new Finding(
            Weight.NOTE,
            "sessions",
            "not custom resources here; the janitor asks the CFS service at its configured"
                + " address");
  }

  private Finding optional(String what, String group, String use) {
    var there = api.find("/apis/" + group).isPresent();
    return new Finding(Weight.NOTE, what, there ? "is there, and " + use : "is not there");
  }

  /** Whether the cluster has a resource. */
  static boolean serves(KubernetesApi api, String group, String version, String plural) {
    return api.find("/apis/%s/%s".formatted(group, version)).stream()
        .flatMap(list -> StreamSupport.stream(list.path("resources").spliterator(), false))
        .map((JsonNode resource) -> resource.path("name").asText())
        .anyMatch(plural::equals);
  }
}
