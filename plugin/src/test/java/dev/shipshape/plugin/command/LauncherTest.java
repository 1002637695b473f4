package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher itself, in folders of its own, with a JDK and a Maven that only write down calls.
 */
class LauncherTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Says what reached it. */
  private static final String JAVA =
      """
      #!/bin/sh
      echo "java runs with ${JAVA_TOOL_OPTIONS-}${JDK_JAVA_OPTIONS-}${_JAVA_OPTIONS-}. in $LC_ALL"
      for each in "$@"; do echo "[$each]"; done
      """;

  /** Like Maven it leaves a jar alone that would be the same. */
  private static final String BUILDS =
      """
      mkdir -p "$ROOT/plugin/target/lib"
      [ -f "$ROOT/plugin/target/shipshape.jar" ] || touch "$ROOT/plugin/target/shipshape.jar"
      """;

  @TempDir private Path folder = Path.of("");
  private Path root = Path.of("");
  private Path jdk = Path.of("");
  private Path target = Path.of("");
  private final List<Process> started = new ArrayList<>();

  /** How it ended, and what it printed. */
  private record Ended(int status, String output) {}

  @BeforeEach
  void checkout() throws Exception {
    root = folder.resolve("shipshape");
    jdk = folder.resolve("jdk");
    target = root.resolve("plugin/target");
    launcherAt(root.resolve("plugin/bin/shipshape"));
    write(root.resolve("pom.xml"), "<project/>");
    write(root.resolve("certs/src/main/java/One.java"), "class One {}");
    write(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
    program(jdk.resolve("bin/java"), JAVA);
    program(jdk.resolve("bin/javac"), "");
    maven(BUILDS);
  }

  @AfterEach
  void kill() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void aCheckoutIsBuiltOnceAndThenRun() throws Exception {
    assertThat(run("hash", "a b").output())
        .contains(
            "building from source", "[dev.shipshape.plugin.command.Shipshape]\n[hash]\n[a b]\n");
    assertThat(run("hash").output()).doesNotContain("building");

    assertThat(builds()).hasSize(1);
  }

  @Test
  void aChangeIsBuiltOnceEvenIfTheJarStaysAsItIs() throws Exception {
    run("hash");
    write(root.resolve("certs/src/main/java/One.java"), "class One { int a; }");

    run("hash");
    run("hash");

    assertThat(builds()).hasSize(2);
  }

  @Test
  void aChangeDuringABuildIsBuiltByTheNextCommand() throws Exception {
    maven("sleep 0.1; echo changed > \"$ROOT/certs/src/main/java/One.java\"; sleep 0.1\n" + BUILDS);
    run("hash");
    maven(BUILDS);

    run("hash");
    run("hash");

    assertThat(builds()).hasSize(2);
  }

  @Test
  void aBuildThatBrokeOffIsBegunAgainWhateverItLeft() throws Exception {
    maven(BUILDS + "kill -9 $$\n");
    assertThat(run("hash").status()).isEqualTo(4);
    maven(BUILDS);

    assertThat(run("hash").output()).contains("building from source", "[hash]");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void aBuildThatFailsShowsItsErrorsAndNothingRuns() throws Exception {
    write(target.resolve("launcher-build.log.done"), "");
    maven("echo '[INFO] Building'; echo '[ERROR] One.java does not compile'; exit 1\n");

    var ended = run("hash");

    assertThat(ended.status()).isEqualTo(4);
    assertThat(ended.output())
        .contains("[ERROR] One.java does not compile", "the build failed")
        .doesNotContain("java runs");
    assertThat(lock()).as("given back").isFalse();
  }

  @Test
  void ofTwoFirstCommandsOneBuildsAndTheOtherWaits() throws Exception {
    var go = folder.resolve("go");
    maven("while ! [ -f '%s' ]; do sleep 0.05; done\n".formatted(go) + BUILDS);
    var first = start("first");
    awaitText(folder.resolve("builds"), "package");
    var second = start("second");
    awaitText(folder.resolve("second"), "waiting for process " + first.pid() + ", which builds");

    Files.createFile(go);

    assertThat(end(first, "first").output()).contains("[first]");
    assertThat(end(second, "second").output()).contains("[second]").doesNotContain("building");
    assertThat(builds()).hasSize(1);
  }

  @Test
  void aBuildWhoseProcessIsGoneHoldsNobodyUp() throws Exception {
    var gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Files.createDirectories(target);
    Files.createSymbolicLink(target.resolve("launcher-lock"), Path.of("" + gone.pid()));

    assertThat(run("hash").output()).contains("building from source", "[hash]");

    assertThat(lock()).isFalse();
    assertThat(target).isDirectoryNotContaining("glob:**launcher-lock*");
  }

  @Test
  void mavenRunsOnTheJdkThatWasFound() throws Exception {
    run("hash");

    assertThat(builds()).singleElement().asString().startsWith(jdk + " ");
  }

  @Test
  void aJavaWithoutACompilerRunsWhatIsBuiltButBuildsNothing() throws Exception {
    Files.delete(jdk.resolve("bin/javac"));
    var ended = run("hash");
    assertThat(ended.status()).isEqualTo(4);
    assertThat(ended.output()).contains("SHIPSHAPE_JAVA_HOME=" + jdk + " is no JDK 25");

    program(jdk.resolve("bin/javac"), "");
    run("hash");
    Files.delete(jdk.resolve("bin/javac"));

    assertThat(run("hash").output()).contains("[hash]");
  }

  @Test
  void optionsForOtherJavaProgramsReachNeitherACheckoutNorARuntime() throws Exception {
    assertThat(run("hash").output()).contains("java runs with . in C.UTF-8\n");

    var release = release();
    assertThat(end(start(release, "hash"), "hash").output())
        .contains("java runs with . in C.UTF-8\n");
  }

  @Test
  void aRuntimeIsUnpackedOnceAlsoByTwoCommandsAtOnce() throws Exception {
    var release = release();
    // The other command is the quicker one by a hair.
    program(
        folder.resolve("path/mv"),
        """
        #!/bin/sh
        for last in "$@"; do :; done
        cp -R "$1" "$last"
        exec /bin/mv "$@"
        """);

    assertThat(end(start(release, "hash"), "hash").output()).contains("unpacking", "[hash]");
    assertThat(end(start(release, "hash"), "hash").output()).doesNotContain("unpacking");

    var runtime = release.resolveSibling("runtime-0123456789abcdef");
    assertThat(runtime).isDirectoryNotContaining("glob:**runtime-*");
    assertThat(release.getParent())
        .isDirectoryNotContaining("glob:**runtime-*.*")
        .isDirectoryNotContaining("glob:**runtime.tgz");
  }

  @Test
  void anArchiveWithoutAJvmTakesAJavaThatIsThereAndSaysInOneLineIfThereIsNone() throws Exception {
    var release = release("lib");

    assertThat(end(start(release, "hash"), "hash").output()).contains("java runs with", "[hash]");

    write(jdk.resolve("release"), "JAVA_VERSION=\"21.0.3\"\n");
    var ended = end(start(release, "hash"), "hash");
    assertThat(ended.status()).isEqualTo(4);
    assertThat(ended.output().lines())
        .singleElement()
        .asString()
        .contains("SHIPSHAPE_JAVA_HOME=" + jdk + " is no JDK 25");
  }

  /** The archive for Helm 3, with a packed runtime; returns its launcher. */
  private Path release() throws Exception {
    return release("bin", "lib");
  }

  private Path release(String... parts) throws Exception {
    var launcher = launcherAt(folder.resolve("release/shipshape"));
    write(jdk.resolve("lib/shipshape.jar"), "");
    var command =
        new ArrayList<>(List.of("tar", "-czf", folder + "/release/runtime.tgz", "-C", jdk + ""));
    command.addAll(List.of(parts));
    var pack = new ProcessBuilder(command);
    assertThat(pack.start().waitFor()).isZero();
    write(folder.resolve("release/files.sha256"), "0123456789abcdef0123  runtime.tgz\n");
    return launcher;
  }

  private static Path launcherAt(Path place) throws IOException {
    Files.createDirectories(place.getParent());
    return Files.copy(Path.of("bin/shipshape"), place);
  }

  private void maven(String work) throws IOException {
    program(
        folder.resolve("path/mvn"),
        "#!/bin/sh\necho \"$JAVA_HOME $*\" >> '%s'\nROOT='%s'\n"
                .formatted(folder.resolve("builds"), root)
            + work);
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(folder.resolve("builds"));
  }

  private boolean lock() {
    return Files.exists(target.resolve("launcher-lock"), LinkOption.NOFOLLOW_LINKS);
  }

  private Ended run(String... arguments) throws Exception {
    return end(start(arguments), arguments[0]);
  }

  private Process start(String... arguments) throws IOException {
    return start(root.resolve("plugin/bin/shipshape"), arguments);
  }

  /** Starts a launcher, whose output goes to a file named like the first argument. */
  private Process start(Path launcher, String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(launcher.toString());
    command.addAll(List.of(arguments));
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(arguments[0]).toFile());
    var environment = builder.environment();
    environment.clear();
    environment.put("PATH", folder.resolve("path") + ":/usr/bin:/bin");
    // No HOME, as in a service of systemd.
    environment.put("SHIPSHAPE_JAVA_HOME", jdk.toString());
    environment.put("JAVA_TOOL_OPTIONS", "-Da=b");
    environment.put("JDK_JAVA_OPTIONS", "-Da=b");
    environment.put("_JAVA_OPTIONS", "-Da=b");
    var process = builder.start();
    started.add(process);
    return process;
  }

  private Ended end(Process process, String output) throws Exception {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("it ends").isTrue();
    return new Ended(process.exitValue(), Files.readString(folder.resolve(output)));
  }

  private static void awaitText(Path file, String text) {
    Eventually.holds(
        "%s has %s".formatted(file, text),
        () -> Files.exists(file) && Files.readString(file).contains(text));
  }

  private static void program(Path place, String text) throws IOException {
    write(place, text);
    assertThat(place.toFile().setExecutable(true)).isTrue();
  }

  private static void write(Path place, String text) throws IOException {
    Files.createDirectories(place.getParent());
    Files.writeString(place, text);
  }
}
