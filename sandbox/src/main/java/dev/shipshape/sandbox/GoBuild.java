package dev.shipshape.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Builds the programs with Go from their published modules, whose checksums go.sum pins. Go itself
 * says so when it is too old.
 *
 * @param version of k8s.io/kubernetes in build/go.mod
 * @param go the Go command
 */
record GoBuild(String version, String go) {
  /** Neither the user's Go settings nor a C compiler may change what comes out. */
  private static final Map<String, String> SETTINGS =
      Map.of("GOFLAGS", "-mod=readonly", "GOWORK", "off", "CGO_ENABLED", "0");

  static GoBuild standard() {
    return new GoBuild("1.36.3", "go");
  }

  /**
   * Puts the programs into an empty folder.
   *
   * @throws SandboxException saying why it could not be done
   */
  void get(Path folder, Progress progress) {
    for (var component : Component.values()) {
      progress.report("building %s with Go; this takes minutes".formatted(component.fileName()));
      build(component, folder);
    }
  }

  void build(Component component, Path folder) {
    var module = StateFolder.empty(folder.resolve("build"));
    try {
      for (var file : List.of("go.mod", "go.sum")) {
        Files.writeString(module.resolve(file), Resource.text("build/" + file));
      }
    } catch (IOException e) {
      throw new SandboxException("could not write to " + module, e);
    }
    var command =
        List.of(
            go,
            "build",
            "-trimpath",
            "-ldflags=" + linkerFlags(),
            "-o=" + folder.resolve(component.fileName()),
            component.goPackage());
    var log = module.resolve("go-build.log");
    try (var build = GuardedProcess.start(command, module, SETTINGS, log)) {
      build.awaitSuccess();
    }
    StateFolder.remove(module);
  }

  /** What the official build sets, so that the programs know their version. */
  private String linkerFlags() {
    var parts = List.of(version.split("\\."));
    return String.join(
        " ",
        "-s -w",
        "-X k8s.io/component-base/version.gitVersion=v" + version,
        "-X k8s.io/component-base/version.gitMajor=" + parts.get(0),
        "-X k8s.io/component-base/version.gitMinor=" + parts.get(1),
        "-X k8s.io/client-go/pkg/version.gitVersion=v" + version);
  }
}
