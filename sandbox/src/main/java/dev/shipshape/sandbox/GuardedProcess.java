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
 * A program that does not outlive this Java process.
 *
 * <p>It runs below a small shell script (guard.sh) that ends it when its standard input, a pipe
 * from here, is closed: by {@link #close}, or by the kernel once this process is gone.
 */
final class GuardedProcess implements AutoCloseable {
  /**
   * The guard gives a program 1 s between TERM and KILL; what lasts longer is no matter of ours.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration PACE = Duration.ofMillis(50);
  private static final int LINES = 8;
  private static final String GUARD = Resource.text("guard.sh");

  private final String name;
  private final Path log;
  private final int logBefore;
  private final Process process;

  private GuardedProcess(String name, Path log, int logBefore, Process process) {
    this.name = name;
    this.log = log;
    this.logBefore = logBefore;
    this.process = process;
  }

  /**
   * Starts a program.
   *
   * @param command the program and its arguments
   * @param workFolder where it runs
   * @param environment what is added to this process's own environment
   * @param log takes what the program writes, after what is already in it
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
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    try {
      return new GuardedProcess(name, log, (int) log.toFile().length(), builder.start());
    } catch (IOException e) {
      throw new SandboxException("could not start %s: %s".formatted(name, e.getMessage()), e);
    }
  }

  /**
   * Waits until something is true of the program, and ends it if that does not come.
   *
   * @param condition asked again and again
   * @throws SandboxException when the program ends first, the time is over, or this thread is
   *     interrupted
   */
  GuardedProcess awaitReady(BooleanSupplier condition, Duration patience) {
    var end = System.nanoTime() + patience.toNanos();
    try {
      while (!condition.getAsBoolean()) {
        if (exitsWithin(PACE)) {
          throw died();
        }
        if (System.nanoTime() > end) {
          throw new SandboxException(
              "%s was not ready after %d s. Its last lines:\n%s"
                  .formatted(name, patience.toSeconds(), lastLines()));
        }
      }
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Ends the program and waits for it; does nothing where it has ended already. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException ignored) {
      // The guard has gone, and its end of the pipe with it.
    }
    if (!exitsWithin(PATIENCE)) {
      Stream.concat(process.descendants(), Stream.of(process.toHandle()))
          .forEach(ProcessHandle::destroyForcibly);
    }
  }

  private boolean exitsWithin(Duration patience) {
    try {
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private SandboxException died() {
    return new SandboxException(
        "%s ended with exit code %d. Its last lines:\n%s"
            .formatted(name, process.exitValue(), lastLines()));
  }

  /** The end of what this run of the program wrote. */
  private String lastLines() {
    try {
      var bytes = Files.readAllBytes(log);
      var text = new String(bytes, logBefore, bytes.length - logBefore, StandardCharsets.UTF_8);
      var lines = text.lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    } catch (IOException e) {
      return "(could not read %s: %s)".formatted(log, e.getMessage());
    }
  }

  private SandboxException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new SandboxException("interrupted while waiting for " + name, e);
  }
}
