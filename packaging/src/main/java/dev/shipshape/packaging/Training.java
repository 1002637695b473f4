package dev.shipshape.packaging;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes the AOT caches, one for each role, as a server's ten thousand classes would slow down
 * {@code --help}, by runs with the shipped runtime. Each command is a process of its own, as with
 * the user.
 *
 * <p>The webhook's holds what the JVM learns from a run that calls itself until it is warm: linked
 * classes, and what ran how often, so that the better compiler can begin at once. That of the
 * commands on audit logs is made so from a run that reads one. With linked classes the JVM ends
 * where the heap is too small for the cache, instead of going on without. The options of these two
 * say how large the heap is. Elsewhere the machine does, so the caches of the other commands and of
 * the janitor are made from lists of classes alone, and have no links.
 */
final class Training {
  /**
   * As the chart limits it: by a share of a large machine's memory, the cache would fit nowhere
   * else.
   */
  private static final String MEMORY = "-XX:MaxRAM=256m";

  private static final Duration SERVED = Duration.ofMinutes(2);
  private static final Duration STOPPING = Duration.ofMinutes(1);

  /** Of the janitor: so often it looks for sessions, and into the operator's log. */
  private static final int RUNS = 3;

  private static final Duration ASKED_EVERY = Duration.ofMillis(100);

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
    var janitor = new ClassList();
    try (var api = StandInApi.start()) {
      var settings = TrainingSettings.write(folder, api.port());
      for (var command : settings.commands()) {
        training.once(Role.COMMAND, training.listing(), command);
        commands.add(training.taken());
      }
      api.forgetSeen();
      var started = training.start(Role.JANITOR, training.listing(), settings.janitor());
      var worked =
          api.awaitRequests("/cfsessions", RUNS, SERVED)
              && api.awaitRequests("/pods", RUNS, SERVED);
      training.end(started, worked, settings.janitor());
      janitor.add(training.taken());
      training.once(Role.AUDIT, training.recording(Role.AUDIT), settings.audit());
      // Large, and of no more use.
      Files.delete(settings.log());
      training.runs++;
      started = training.start(Role.WEBHOOK, training.recording(Role.WEBHOOK), settings.webhook());
      training.end(started, isReady(started, settings.ready()), settings.webhook());
    }
    training.dump(commands, Role.COMMAND);
    training.dump(janitor, Role.JANITOR);
    training.create(Role.AUDIT);
    training.create(Role.WEBHOOK);
  }

  private void once(Role role, List<String> options, List<String> command)
      throws IOException, InterruptedException {
    var process = start(role, options, command);
    if (!process.waitFor(SERVED.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("training: %s did not end: see %s".formatted(command, folder));
    }
  }

  private void end(Process server, boolean served, List<String> command)
      throws IOException, InterruptedException {
    server.destroy();
    if (!server.waitFor(STOPPING.toSeconds(), TimeUnit.SECONDS) || !served) {
      server.destroyForcibly();
      throw new IOException("training: %s did not work: see %s".formatted(command, folder));
    }
  }

  /** Waits until a server says that it is ready; false if it does not in time, or ends. */
  private static boolean isReady(Process server, URI ready) throws InterruptedException {
    var end = System.nanoTime() + SERVED.toNanos();
    try (var http = HttpClient.newHttpClient()) {
      while (server.isAlive() && System.nanoTime() < end) {
        try {
          if (http.send(HttpRequest.newBuilder(ready).build(), BodyHandlers.discarding())
                  .statusCode()
              == 200) {
            return true;
          }
        } catch (IOException e) {
          // It does not listen yet.
        }
        server.waitFor(ASKED_EVERY.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
    return false;
  }

  private Process start(Role role, List<String> options, List<String> arguments)
      throws IOException {
    var command = new ArrayList<String>();
    command.add(runtime.java().toString());
    command.addAll(options);
    command.addAll(Entrypoint.options(runtime.path().toString(), role));
    command.addAll(Entrypoint.MODULE);
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("run-" + runs + ".log").toFile())
        .start();
  }

  /** What the process learns is written at its end. */
  private List<String> recording(Role role) {
    return List.of(MEMORY, "-XX:AOTMode=record", "-XX:AOTConfiguration=" + learned(role));
  }

  private Path learned(Role role) {
    return folder.resolve(role.name() + ".aotconf");
  }

  private List<String> listing() {
    return List.of("-XX:DumpLoadedClassList=" + list());
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
    make(
        role,
        "-Xshare:dump",
        "-XX:SharedClassListFile=" + list,
        "-XX:SharedArchiveFile=" + runtime.path().resolve(role.cache()));
  }

  private void create(Role role) throws IOException, InterruptedException {
    make(
        role,
        MEMORY,
        "-XX:AOTMode=create",
        "-XX:AOTConfiguration=" + learned(role),
        "-XX:AOTCache=" + runtime.path().resolve(role.cache()));
    // As large as the cache itself, and of no more use.
    Files.delete(learned(role));
  }

  private void make(Role role, String... options) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(runtime.java().toString());
    command.addAll(List.of(options));
    command.addAll(Entrypoint.options(runtime.path().toString(), role));
    command.addAll(Entrypoint.MODULE);
    Files.writeString(folder.resolve(role.name() + ".log"), Program.run(folder, command));
  }
}
