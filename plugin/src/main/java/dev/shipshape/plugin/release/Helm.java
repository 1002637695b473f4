package dev.shipshape.plugin.release;

import dev.shipshape.service.StartFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs Helm: the one that called this plugin, else the one on the PATH. */
public record Helm(String program, List<String> clusterFlags, String namespace) {
  private static final int INTERVAL_SECONDS = 15;

  /** What kubectl calls Helm's flags. */
  private static final Map<String, String> KUBECTL =
      Map.of(
          "--kube-context", "--context",
          "--kube-apiserver", "--server",
          "--kube-ca-file", "--certificate-authority",
          "--kube-as-user", "--as",
          "--kube-as-group", "--as-group",
          "--kube-insecure-skip-tls-verify", "--insecure-skip-tls-verify");

  record CommandResult(int exit, String out, String err) {
    String require(String attempted) {
      if (exit != 0) {
        throw new StartFailure("could not %s: %s".formatted(attempted, message()));
      }
      return out;
    }

    /** Returns Helm's own message. */
    String message() {
      return err.isBlank() ? "helm ended with " + exit : err.strip().replaceFirst("^Error: ", "");
    }
  }

  /**
   * Finds Helm.
   *
   * @param environment whose {@code HELM_BIN} names the Helm that called this plugin
   * @param clusterFlags flags that select the cluster, in addition to what Helm inherits
   */
  public static Helm of(
      Map<String, String> environment, List<String> clusterFlags, String namespace) {
    var named = environment.getOrDefault("HELM_BIN", "");
    return new Helm(named.isEmpty() ? "helm" : named, List.copyOf(clusterFlags), namespace);
  }

  /** Formats a call as a person types it. */
  String command(List<String> arguments) {
    var words = new ArrayList<>(List.of("helm"));
    words.addAll(arguments);
    words.addAll(List.of("-n", namespace));
    words.addAll(clusterFlags);
    return ShellWords.join(words);
  }

  /** Formats a call of kubectl on the same cluster, as a person types it. */
  public static String kubectl(List<String> clusterFlags, String call) {
    var flags = clusterFlags.stream().map(flag -> KUBECTL.getOrDefault(flag, flag)).toList();
    return ("kubectl " + call + " " + ShellWords.join(flags)).strip();
  }

  CommandResult run(List<String> arguments) throws InterruptedException {
    return run(arguments, "", () -> {});
  }

  /**
   * Runs Helm and waits for its end.
   *
   * @param whileWaiting runs every 15 s
   */
  CommandResult run(List<String> arguments, String input, Runnable whileWaiting)
      throws InterruptedException {
    var command = new ArrayList<String>();
    command.add(program);
    command.addAll(arguments);
    command.addAll(List.of("--namespace", namespace));
    command.addAll(clusterFlags);
    try {
      var process = new ProcessBuilder(command).start();
      var out = text(process.inputReader(StandardCharsets.UTF_8));
      var err = text(process.errorReader(StandardCharsets.UTF_8));
      write(input, process);
      while (!process.waitFor(INTERVAL_SECONDS, TimeUnit.SECONDS)) {
        whileWaiting.run();
      }
      return new CommandResult(process.exitValue(), out.join(), err.join());
    } catch (IOException e) {
      throw new StartFailure(
          "could not run %s: %s; install Helm 3.18 or later, or name it by HELM_BIN"
              .formatted(program, e.getMessage()),
          e);
    }
  }

  private static void write(String input, Process process) {
    try (var stdin = process.outputWriter(StandardCharsets.UTF_8)) {
      stdin.write(input);
    } catch (IOException e) {
      // Helm ended before it read the input; its exit code and message say why.
    }
  }

  String require(String attempted, List<String> arguments) throws InterruptedException {
    return run(arguments).require(attempted);
  }

  /** In a thread of its own: with two CPUs, the common pool has one, which others wait for. */
  private static CompletableFuture<String> text(BufferedReader stream) {
    return CompletableFuture.supplyAsync(
        () -> stream.lines().collect(Collectors.joining("\n")), Thread.ofVirtual()::start);
  }
}
