package dev.shipshape.sandbox;

import java.io.IOException;
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
 * from here, is closed: by {@link #close}, or by the kernel once this process is gone. Where {@code
 * setsid} exists, the program has a session of its own, so that Ctrl-C in a terminal reaches only
 * us.
 */
final class GuardedProcess implements AutoCloseable {
  /**
   * The guard gives a program 1 s between TERM and KILL; what lasts longer is no matter of ours.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration PACE = Duration.ofMillis(50);
  private static final String GUARD = Resource.text("guard.sh");

  private final String name;
  private final ProgramLog log;
  private final Process process;

  private GuardedProcess(String name, ProgramLog log, Process process) {
    this.name = name;
    this.log = log;
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
    var name = Path.of(command.getFirst()).getFileName().toString();
    var guarded = new ArrayList<String>();
    SearchPath.of(System.getenv()).find("setsid").map(Path::toString).ifPresent(guarded::add);
    guarded.addAll(List.of("sh", "-c", GUARD, "shipshape-guard"));
    guarded.addAll(command);
    var builder =
        new ProcessBuilder(guarded)
            .directory(workFolder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    try {
      return new GuardedProcess(name, ProgramLog.fromHere(log), builder.start());
    } catch (IOException e) {
      throw new SandboxException("could not start %s: %s".formatted(name, e.getMessage()), e);
    }
  }

  /**
   * Waits until something is true of the program.
   *
   * @param condition asked again and again
   * @throws ProgramDiedException when the program ends first
   * @throws SandboxException when the time is over, or this thread is interrupted
   */
  void awaitReady(BooleanSupplier condition, Duration patience) {
    var end = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (exitsWithin(PACE)) {
        throw new ProgramDiedException(name, process.exitValue(), log.lastLines());
      }
      if (System.nanoTime() > end) {
        throw new SandboxException(
            "%s was not ready after %d s. Its last lines:\n%s"
                .formatted(name, patience.toSeconds(), log.lastLines()));
      }
    }
  }

  /**
   * Waits for the program's end.
   *
   * @throws ProgramDiedException when its exit code is not 0
   */
  void awaitSuccess() {
    try {
      if (process.waitFor() != 0) {
        throw new ProgramDiedException(name, process.exitValue(), log.lastLines());
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
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

  private SandboxException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new SandboxException("interrupted while waiting for " + name, e);
  }
}
