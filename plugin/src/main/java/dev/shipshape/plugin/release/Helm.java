package dev.shipshape.plugin.release;

import dev.shipshape.service.StartFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The Helm that called us, or the one on the PATH, as a program: it keeps the releases. */
public final class Helm {
  private final String program;
  private final List<String> clusterFlags;
  private final String namespace;

  private Helm(String program, List<String> clusterFlags, String namespace) {
    this.program = program;
    this.clusterFlags = List.copyOf(clusterFlags);
    this.namespace = namespace;
  }

  /**
   * What a call came to.
   *
   * @param exit its exit code
   * @param out all that it printed
   * @param err all that it complained about
   */
  record CommandResult(int exit, String out, String err) {}

  /**
   * The Helm to use.
   *
   * @param environment where {@code HELM_BIN} names the one that called us
   * @param clusterFlags flags that name the cluster, beside what Helm inherits from us
   * @param namespace of the releases
   */
  public static Helm of(
      Map<String, String> environment, List<String> clusterFlags, String namespace) {
    var named = environment.getOrDefault("HELM_BIN", "");
    return new Helm(named.isEmpty() ? "helm" : named, clusterFlags, namespace);
  }

  /** A call as a person types it. */
  String command(List<String> arguments) {
    var words = new ArrayList<>(List.of("helm"));
    words.addAll(arguments);
    words.addAll(List.of("-n", namespace));
    words.addAll(clusterFlags);
    return String.join(" ", words);
  }

  /**
   * Runs Helm and waits for its end.
   *
   * @throws StartFailure where there is no such program
   */
  CommandResult run(List<String> arguments) throws InterruptedException {
    var command = new ArrayList<String>();
    command.add(program);
    command.addAll(arguments);
    command.addAll(List.of("--namespace", namespace));
    command.addAll(clusterFlags);
    try {
      var process =
          new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile()).start();
      var err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
      var out = text(process.getInputStream());
      return new CommandResult(process.waitFor(), out, err.join());
    } catch (IOException e) {
      throw new StartFailure(
          "could not run %s: %s; install Helm 3.18 or later, or name it by HELM_BIN"
              .formatted(program, e.getMessage()),
          e);
    }
  }

  /**
   * Runs what must work.
   *
   * @param attempted what is attempted, for the message
   * @return what it printed
   * @throws StartFailure with Helm's own words where it fails
   */
  String require(String attempted, List<String> arguments) throws InterruptedException {
    var ran = run(arguments);
    if (ran.exit() != 0) {
      throw new StartFailure("could not %s: %s".formatted(attempted, ran.err().strip()));
    }
    return ran.out();
  }

  private static String text(InputStream stream) {
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read what helm printed", e);
    }
  }
}
