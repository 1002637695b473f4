package dev.shipshape.plugin.release;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.plugin.release.Helm.CommandResult;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.arming.Arming;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A Helm release of the chart. */
public final class HelmRelease {
  private static final String CHART = "shipshape";
  private static final String NOT_FOUND = "release: not found";

  /** What may be secret: a value that is more than a switch, user and password in an address. */
  private static final Pattern VALUE =
      Pattern.compile(
          "(?s)^(--set(?:-string)?=[^=]*=|--set-json=)(?!(?:true|false|null)\\z).+|(?<=://)[^/@]*(?=@)");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Helm helm;
  private final String name;
  private @Nullable List<ObjectNode> metadata;
  private @Nullable String kept;
  private String renderedVersion = "";

  /** Whether Helm uses server-side apply, where each field has an owner; a dry run tells. */
  private boolean isServerSide;

  /** The release need not exist. */
  public HelmRelease(Helm helm, String name) {
    this.helm = helm;
    this.name = name;
  }

  /** For people: {@code shipshape in namespace operators}. */
  @Override
  public String toString() {
    return "%s in namespace %s".formatted(name, namespace());
  }

  String name() {
    return name;
  }

  String namespace() {
    return helm.namespace();
  }

  /** Formats a call of kubectl on the release's cluster. */
  String kubectl(String call) {
    return Helm.kubectl(helm.clusterFlags(), call);
  }

  /** Formats the command that ends what {@code disarm --now} did. */
  public String armAgain() {
    return kubectl("-n %s delete configmap %s".formatted(namespace(), Arming.DISARMED));
  }

  /**
   * Whether Helm has it, and not only its history, whose values Helm would not keep.
   *
   * @throws StartFailure if Helm fails
   */
  public boolean exists() throws InterruptedException {
    return metadata()
        .filter(found -> !found.path("status").asText().equals("uninstalled"))
        .isPresent();
  }

  /** Returns its objects as last rendered; none if there is no such release. */
  Manifest installed() throws InterruptedException {
    return exists()
        ? Manifest.parse(helm.require("read the release " + this, List.of("get", "manifest", name)))
        : Manifest.parse("");
  }

  /** Says how to go back to the installed revision, in one line; empty if there is none. */
  Optional<String> rollback() throws InterruptedException {
    return metadata().map(found -> "to go back: " + rollback(found));
  }

  private String rollback(ObjectNode found) {
    if (!isDeployed(found)) {
      return "helm rollback, to a revision that was deployed; "
          + helm.command(List.of("history", name));
    }
    var words = new ArrayList<>(List.of("rollback", name, found.path("revision").asText()));
    if (found.path("applyMethod").asText().equals("ssa")) {
      // With server-side apply, a field that another client has changed would stop it.
      words.add("--force-conflicts");
    }
    return helm.command(words);
  }

  /** Returns what an installation or upgrade would apply, with the values of the last one. */
  Manifest dryRun(String chart, Values values) throws InterruptedException {
    var flags = List.of("--dry-run=server", "--output=json");
    var json =
        apply(chart, values, flags, () -> {}).require("render the chart " + chart + " for " + this);
    try {
      var rendered = MAPPER.readTree(json);
      var other = rendered.at("/chart/metadata/name").asText(CHART);
      if (!other.equals(CHART)) {
        throw new StartFailure(
            "%s is the chart %s, not %s: it would replace the release's objects by its own"
                .formatted(chart, other, CHART));
      }
      renderedVersion = rendered.at("/chart/metadata/version").asText();
      isServerSide = rendered.path("apply_method").asText().equals("ssa");
      return Manifest.parse(rendered.path("manifest").asText());
    } catch (JsonProcessingException e) {
      throw new StartFailure("could not read what helm upgrade --dry-run printed: " + e, e);
    }
  }

  /** Says how the last dry run would change the chart's version, which brings its own image. */
  Optional<String> versionChange() throws InterruptedException {
    return metadata()
        .map(found -> found.path("version").asText())
        .filter(installed -> !renderedVersion.isEmpty() && !installed.equals(renderedVersion))
        .map(installed -> "~ the chart's version: %s -> %s".formatted(installed, renderedVersion));
  }

  /**
   * Returns the release's metadata as of the first call.
   *
   * @throws StartFailure if Helm fails, or if it is a release of another chart, whose objects an
   *     upgrade to this one would delete
   */
  private Optional<ObjectNode> metadata() throws InterruptedException {
    if (metadata == null) {
      var ran = helm.run(List.of("get", "metadata", name, "-o", "yaml"));
      if (ran.exit() != 0 && !ran.err().contains(NOT_FOUND)) {
        throw new StartFailure(
            "could not read the release %s: %s".formatted(this, ran.err().strip()));
      }
      metadata = ran.exit() == 0 ? YamlDocuments.read(ran.out()) : List.of();
      for (var found : metadata) {
        var chart = found.path("chart").asText(CHART);
        if (!chart.equals(CHART)) {
          throw new StartFailure(
              "%s is a release of the chart %s, not of %s: change it by helm and its own chart"
                  .formatted(this, chart, CHART));
        }
      }
    }
    return metadata.stream().findFirst();
  }

  /** Installs or upgrades it, reusing the values of the last time. */
  CommandResult apply(String chart, Values values, List<String> flags, Runnable whileWaiting)
      throws InterruptedException {
    var input = hasFailed() ? kept() : values.defaults();
    return helm.run(arguments(chart, values, flags), input, whileWaiting);
  }

  /** Whether the newest revision is not deployed. */
  private boolean hasFailed() throws InterruptedException {
    return exists() && metadata().filter(found -> !isDeployed(found)).isPresent();
  }

  private static boolean isDeployed(ObjectNode found) {
    return found.path("status").asText("deployed").equals("deployed");
  }

  /**
   * The values of the newest revision, which has failed. Helm itself would reuse those of the last
   * one that was deployed: what the failed one has disarmed would be armed again.
   */
  private String kept() throws InterruptedException {
    if (kept == null) {
      kept = helm.require("read the values of " + this, getValues()) + "\n";
    }
    return kept;
  }

  private List<String> getValues() {
    return List.of("get", "values", name, "-o", "yaml");
  }

  /** Says that the values are those of a revision that failed; empty if none has. */
  Optional<String> failedRevision() throws InterruptedException {
    return hasFailed()
        ? Optional.of(
            "the last revision has failed; its values are kept: " + helm.command(getValues()))
        : Optional.empty();
  }

  /** Formats {@link #apply} as a command, without values that may be secret. */
  String applyCommand(String chart, Values values, List<String> flags) throws InterruptedException {
    var command =
        helm.command(
            arguments(chart, values, flags).stream()
                .map(flag -> VALUE.matcher(flag).replaceFirst("$1..."))
                .toList());
    if (hasFailed()) {
      return helm.command(getValues()) + " | " + command;
    }
    var input = values.defaults().strip();
    return command + (input.isEmpty() ? "" : " <<<" + ShellWords.quoted(input));
  }

  private List<String> arguments(String chart, Values values, List<String> flags)
      throws InterruptedException {
    var arguments = new ArrayList<>(List.of("upgrade", "--install", name, chart));
    arguments.add(hasFailed() ? "--reset-values" : "--reset-then-reuse-values");
    arguments.addAll(flags);
    if (isServerSide) {
      // Fields of the chart belong to the chart, as they do without server-side apply.
      arguments.add("--force-conflicts");
    }
    if (hasFailed() || !values.defaults().isEmpty()) {
      arguments.add("--values=-");
    }
    arguments.addAll(values.flags());
    return arguments;
  }

  /**
   * Removes it, and waits until its objects are gone. Skips its hook, whose pod may never start:
   * the webhook configurations, which the hook removes, must be gone already.
   */
  public void remove() throws InterruptedException {
    helm.require("uninstall " + this, List.of("uninstall", name, "--wait", "--no-hooks"));
  }
}
