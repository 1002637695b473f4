package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes the AOT caches: runs the commands with the shipped runtime, lists the classes that each
 * loads, and lets the JVM load them ahead of time. Each command is a process of its own, as with
 * the user. The servers have a cache of their own, as their ten thousand classes would slow down
 * {@code --help}.
 *
 * <p>Without -XX:+AOTClassLinking: a cache made with it starts a little faster, but the JVM ends
 * where the heap is too small for it, instead of going on without, and it holds the clock's time.
 */
final class Training {
  private static final Duration SERVED = Duration.ofMinutes(2);
  private static final Duration STOPPING = Duration.ofMinutes(1);

  private final RuntimeFolder runtime;
  private final Path folder;
  private int runs;

  private Training(RuntimeFolder runtime, Path folder) {
    this.runtime = runtime;
    this.folder = folder;
  }

  /** Trains and puts the caches into the runtime. */
  static void run(RuntimeFolder runtime, Path folder) throws IOException, InterruptedException {
    Trees.delete(folder);
    Files.createDirectories(folder);
    var training = new Training(runtime, folder);
    var commands = new ClassList();
    var servers = new ClassList();
    try (var api = StandInApi.start()) {
      var settings = TrainingSettings.write(folder, api.port());
      for (var command : settings.commands()) {
        commands.add(training.once(command));
      }
      servers.add(training.serve(Role.WEBHOOK, settings.webhook(), api));
      servers.add(training.serve(Role.JANITOR, settings.janitor(), api));
    }
    training.dump(commands, Role.COMMAND);
    training.dump(servers, Role.WEBHOOK);
  }

  private Path once(List<String> command) throws IOException, InterruptedException {
    var process = start(Role.COMMAND, command);
    if (!process.waitFor(SERVED.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("training: %s did not end: see %s".formatted(command, folder));
    }
    return taken();
  }

  /** Runs a server until the stand-in has seen what it begins with, then tells it to end. */
  private Path serve(Role role, List<String> command, StandInApi api)
      throws IOException, InterruptedException {
    var process = start(role, command);
    var served = api.awaitQuiet(SERVED);
    process.destroy();
    if (!process.waitFor(STOPPING.toSeconds(), TimeUnit.SECONDS) || !served) {
      process.destroyForcibly();
      throw new IOException("training: %s did not work: see %s".formatted(command, folder));
    }
    return taken();
  }

  private Process start(Role role, List<String> arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(runtime.java().toString());
    command.add("-XX:DumpLoadedClassList=" + list());
    command.addAll(Entrypoint.options(runtime.path().toString(), role));
    command.addAll(Entrypoint.MODULE);
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("run-" + runs + ".log").toFile())
        .start();
  }

  private Path taken() throws IOException {
    var list = list();
    if (!Files.exists(list)) {
      throw new IOException("training: no list of classes in " + list);
    }
    runs++;
    return list;
  }

  private Path list() {
    return folder.resolve("run-" + runs + ".classes");
  }

  private void dump(ClassList classes, Role role) throws IOException, InterruptedException {
    var list = folder.resolve(role.name() + ".classes");
    classes.write(list);
    var command = new ArrayList<String>();
    command.add(runtime.java().toString());
    command.add("-Xshare:dump");
    command.add("-XX:SharedClassListFile=" + list);
    command.add("-XX:SharedArchiveFile=" + runtime.path().resolve(role.cache()));
    command.addAll(Entrypoint.options(runtime.path().toString(), role));
    command.addAll(Entrypoint.MODULE);
    Files.writeString(folder.resolve(list.getFileName() + ".log"), Program.run(folder, command));
  }
}
