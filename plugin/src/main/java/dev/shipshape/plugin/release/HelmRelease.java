package dev.shipshape.plugin.release;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.plugin.release.Helm.CommandResult;
import dev.shipshape.service.StartFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** One release of the chart, which Helm keeps. */
public final class HelmRelease {
  private static final String NOT_FOUND = "not found";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Helm helm;
  private final String name;
  private final String namespace;
  private @Nullable List<ObjectNode> metadata;

  /** The release of this name, whether it exists or not. */
  public HelmRelease(Helm helm, String name, String namespace) {
    this.helm = helm;
    this.name = name;
    this.namespace = namespace;
  }

  /** As people call it: {@code shipshape in namespace operators}. */
  @Override
  public String toString() {
    return "%s in namespace %s".formatted(name, namespace);
  }

  String name() {
    return name;
  }

  String namespace() {
    return namespace;
  }

  /**
   * Whether Helm knows it.
   *
   * @throws StartFailure if Helm cannot tell
   */
  public boolean exists() throws InterruptedException {
    return metadata().isPresent();
  }

  /** Its objects as they were last rendered; none where there is no such release. */
  Manifest installed() throws InterruptedException {
    return exists()
        ? Manifest.parse(helm.require("read the release " + this, List.of("get", "manifest", name)))
        : Manifest.parse("");
  }

  /** Its newest revision; empty where there is no such release. */
  OptionalInt revision() throws InterruptedException {
    return metadata().stream().mapToInt(found -> found.path("revision").asInt()).findFirst();
  }

  /** What a person types to have a revision back. */
  String rollbackCommand(int revision) {
    return helm.command(List.of("rollback", name, Integer.toString(revision)));
  }

  /**
   * What an installation or upgrade would make, with the values of the last one. Changes nothing.
   *
   * @param isServerSide whether Helm would use server-side apply, where each field has an owner
   */
  record DryRun(Manifest manifest, boolean isServerSide) {}

  /** Asks Helm. */
  DryRun dryRun(String chart, Values values) throws InterruptedException {
    var flags = List.of("--dry-run=server", "--output=json");
    var json =
        apply(chart, values, flags, () -> {}).require("render the chart " + chart + " for " + this);
    try {
      var rendered = MAPPER.readTree(json);
      return new DryRun(
          Manifest.parse(rendered.path("manifest").asText()),
          rendered.path("apply_method").asText().equals("ssa"));
    } catch (JsonProcessingException e) {
      throw new StartFailure("could not read what helm upgrade --dry-run printed: " + e, e);
    }
  }

  /** The version of Helm, such as {@code v3.22.0}. */
  String helmVersion() throws InterruptedException {
    return helm.require("ask for Helm's version", List.of("version", "--template={{.Version}}"))
        .strip();
  }

  /** As it was when it was asked for first. */
  private Optional<ObjectNode> metadata() throws InterruptedException {
    if (metadata == null) {
      var ran = helm.run(List.of("get", "metadata", name, "-o", "yaml"));
      if (ran.exit() != 0 && !ran.err().contains(NOT_FOUND)) {
        throw new StartFailure(
            "could not look for the release %s: %s".formatted(this, ran.err().strip()));
      }
      metadata = ran.exit() == 0 ? YamlDocuments.read(ran.out()) : List.of();
    }
    return metadata.stream().findFirst();
  }

  /** Installs or upgrades it, with the values of the last time. */
  CommandResult apply(String chart, Values values, List<String> flags, Runnable whileWaiting)
      throws InterruptedException {
    return helm.run(arguments(chart, values, flags), values.defaults(), whileWaiting);
  }

  /** What a person types for {@link #apply}. */
  String applyCommand(String chart, Values values, List<String> flags) {
    var input = values.defaults().strip();
    return helm.command(arguments(chart, values, flags))
        + (input.isEmpty() ? "" : " <<<" + ShellWords.quoted(input));
  }

  private List<String> arguments(String chart, Values values, List<String> flags) {
    var arguments = new ArrayList<>(List.of("upgrade", "--install", name, chart));
    arguments.add("--reset-then-reuse-values");
    arguments.addAll(flags);
    if (!values.defaults().isEmpty()) {
      arguments.add("--values=-");
    }
    arguments.addAll(values.flags());
    return arguments;
  }

  /**
   * Removes it, and waits until its objects are gone. Without its hook, which removes the webhook
   * configurations first: that must be done already, and a pod for it may never start.
   */
  public void remove() throws InterruptedException {
    helm.require("uninstall " + this, List.of("uninstall", name, "--wait", "--no-hooks"));
  }
}
