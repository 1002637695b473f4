package dev.shipshape.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds the programs with Go from their published modules, whose checksums go.sum pins. Go itself
 * says so when it is too old.
 *
 * @param go the Go command: its file's name, or its path
 */
record GoBuild(String version, String go, Map<String, String> environment)
    implements ProgramSource {

  /** Neither the user's Go settings nor a C compiler may change what comes out. */
  private static final Map<String, String> SETTINGS =
      Map.of("GOFLAGS", "-mod=readonly", "GOWORK", "off", "CGO_ENABLED", "0");

  static GoBuild standard(ProgramProperties properties, Map<String, String> environment) {
    return new GoBuild(properties.get("build.version"), "go", environment);
  }

  @Override
  public String name() {
    return "a build of %s with Go".formatted(version);
  }

  @Override
  public void get(Set<Program> missing, Path into, Path workshop, Progress progress) {
    var compiler =
        SearchPath.of(environment)
            .find(go)
            .orElseThrow(() -> new SandboxException("there is no %s on the PATH".formatted(go)));
    writeModule(workshop);
    for (var program : missing) {
      progress.report("building %s with Go; this takes minutes".formatted(program.fileName()));
      build(compiler, program, workshop);
      Release.install(workshop.resolve(program.fileName()), into.resolve(program.fileName()));
    }
  }

  private static void writeModule(Path workshop) {
    try {
      for (var file : List.of("go.mod", "go.sum")) {
        Files.writeString(workshop.resolve(file), Resource.text("build/" + file));
      }
    } catch (IOException e) {
      throw new SandboxException("could not write to " + workshop, e);
    }
  }

  private void build(Path compiler, Program program, Path workshop) {
    var output = workshop.resolve(program.fileName());
    var command =
        List.of(
            compiler.toString(),
            "build",
            "-trimpath",
            "-ldflags=" + linkerFlags(),
            "-o=" + output,
            program.goPackage());
    try (var build =
        GuardedProcess.start(command, workshop, SETTINGS, workshop.resolve("go-build.log"))) {
      build.awaitSuccess();
    }
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
