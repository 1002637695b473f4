package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.service.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** One release of the chart, which Helm keeps. */
public final class HelmRelease {
  private static final String NOT_FOUND = "not found";

  private final Helm helm;
  private final String name;
  private final String namespace;
  private @Nullable List<ObjectNode> metadata;
  private @Nullable String version;

  /**
   * The release of this name, whether it exists or not.
   *
   * @param namespace where Helm keeps it
   */
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

  /**
   * The values that users gave when it was last installed or upgraded.
   *
   * @param folder where the file with them may be kept
   */
  public Values userValues(Path folder) throws InterruptedException {
    var yaml =
        helm.require("read the values of " + this, List.of("get", "values", name, "-o", "yaml"));
    try {
      var file = Files.writeString(folder.resolve("user-values.yaml"), yaml);
      return new Values(List.of(file), List.of());
    } catch (IOException e) {
      throw new StartFailure(
          "could not keep the values of " + this + " in " + folder + ": " + e, e);
    }
  }

  /** All of its values, the chart's own defaults among them. */
  JsonNode values() throws InterruptedException {
    var yaml =
        helm.require(
            "read the values of " + this, List.of("get", "values", name, "--all", "-o", "yaml"));
    return YamlDocuments.read(yaml).getFirst();
  }

  /** A chart's default values. */
  JsonNode defaults(String chart) throws InterruptedException {
    var yaml = helm.require("read the values of " + chart, List.of("show", "values", chart));
    return YamlDocuments.read(yaml).stream()
        .findFirst()
        .<JsonNode>map(values -> values)
        .orElseGet(MissingNode::getInstance);
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
   * Its objects as they would be. Changes nothing.
   *
   * @param chart a folder, an archive or a reference
   * @param cluster where they would be
   */
  Manifest rendered(String chart, Values values, Capabilities cluster) throws InterruptedException {
    var begin = new ArrayList<>(List.of("template", name, chart, "--dry-run=server"));
    begin.add("--skip-tests");
    begin.addAll(cluster.flags());
    return Manifest.parse(helm.require("render the chart " + chart, command(begin, values)));
  }

  /** Of the Helm that keeps it, such as {@code v3.22.0}. */
  String helmVersion() throws InterruptedException {
    if (version == null) {
      version =
          helm.require("ask for Helm's version", List.of("version", "--template={{.Version}}"))
              .strip();
    }
    return version;
  }

  /**
   * Whether Helm goes on to write its objects by server-side apply, where each field has an owner.
   * Helm 4 writes those of a new release so, and what was installed by Helm 3 as Helm 3 does.
   */
  boolean isAppliedByServer() throws InterruptedException {
    var found = metadata();
    return found.isPresent()
        ? found.get().path("applyMethod").asText().equals("ssa")
        : !helmVersion().startsWith("v3.");
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

  /**
   * Installs or upgrades it; does not wait until its pods are ready.
   *
   * @param flags for Helm, beside those that always are
   */
  void apply(String chart, Values values, List<String> flags) throws InterruptedException {
    var begin = new ArrayList<>(List.of("upgrade", "--install", name, chart, "--reset-values"));
    begin.addAll(flags);
    helm.require("install " + this, command(begin, values));
  }

  /**
   * Removes it, and waits until its objects are gone. Without its hook, which removes the webhook
   * configurations first: that must be done already, and a pod for it may never start.
   */
  public void remove() throws InterruptedException {
    helm.require("uninstall " + this, List.of("uninstall", name, "--wait", "--no-hooks"));
  }

  private static List<String> command(List<String> begin, Values values) {
    var command = new ArrayList<>(begin);
    command.addAll(values.flags());
    return command;
  }
}
