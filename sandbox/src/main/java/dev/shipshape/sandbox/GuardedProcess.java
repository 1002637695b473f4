package dev.shipshape.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A program that ends with this Java process.
 *
 * <p>It is the child of a shell script (guard.sh), which stops it when its standard input, a pipe
 * from this process, is closed: by {@link #close}, or by the kernel when this process ends.
 */
final class GuardedProcess implements AutoCloseable {
  /** The guard waits 1 s between TERM and KILL. */
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
  private static final int MAX_LINES = 8;
  private static final String GUARD = Resource.text("guard.sh");

  private final String name;
  private final Path log;
  private final Process process;

  private GuardedProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts a program.
   *
   * @param command the program and its arguments
   * @param workFolder the working directory
   * @param environment added to this process's environment
   * @param log the program's output replaces what is in it
   */
  static GuardedProcess start(
      List<String> command, Path workFolder, Map<String, String> environment, Path log) {
    var name = Path.of(command.getFirst()).toFile().getName();
    var guarded = new ArrayList<>(List.of("sh", "-c", GUARD, "shipshape-guard"));
    guarded.addAll(command);
    var builder =
        new ProcessBuilder(guarded)
            .directory(workFolder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()));
    builder.environment().putAll(environment);
    try {
      return new GuardedProcess(name, log, builder.start());
    } catch (IOException e) {
      throw new SandboxException("could not start %s: %s".formatted(name, e.getMessage()), e);
    }
  }

  /**
   * Waits until a condition is true.
   *
   * @param condition polled
   * @throws SandboxException if the program ends before, or after the timeout
   */
  void awaitReady(BooleanSupplier condition, Duration timeout) {
    var end = System.nanoTime() + timeout.toNanos();
    while (!condition.getAsBoolean()) {
      if (exitsWithin(POLL_INTERVAL)) {
        throw exited();
      }
      if (System.nanoTime() > end) {
        throw new SandboxException(
            "%s was not ready after %d s. Its last lines:\n%s"
                .formatted(name, timeout.toSeconds(), lastLines()));
      }
    }
  }

  /** Stops the program and waits for its end; does nothing if it has ended already. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException ignored) {
      // The guard has ended already.
    }
    if (!exitsWithin(STOP_TIMEOUT)) {
      Stream.concat(process.descendants(), Stream.of(process.toHandle()))
          .forEach(ProcessHandle::destroyForcibly);
    }
  }

  private boolean exitsWithin(Duration timeout) {
    return process
        .onExit()
        .thenApply(_ -> true)
        .completeOnTimeout(false, timeout.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  private SandboxException exited() {
    return new SandboxException(
        "%s ended with exit code %d. Its last lines:\n%s"
            .formatted(name, process.exitValue(), lastLines()));
  }

  /** Returns the last lines that this run of the program wrote. */
  private String lastLines() {
    try {
      var lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()));
    } catch (IOException e) {
      return "(could not read %s: %s)".formatted(log, e.getMessage());
    }
  }
}
