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
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the AOT caches, one for each role, as a server's ten thousand classes would slow down
 * {@code --help}, by runs with the shipped runtime. Each command is a process of its own, as with
 * the user.
 *
 * <p>The webhook's holds what the JVM learns from a run that is sent reviews over HTTPS until it is
 * warm: linked classes, and what ran how often, so that the better compiler can begin at once. That
 * of the commands on audit logs is made so from a run that reads one. With linked classes the JVM
 * ends where the heap is too small for the cache, instead of going on without. The options of these
 * two say how large the heap is. Elsewhere the machine does, so the caches of the other commands
 * and of the janitor are made from lists of classes alone, and have no links.
 */
final class Training {
  /** The chart's limit: the heap's size must fit the cache, and depends on the memory. */
  private static final String MEMORY = "-XX:MaxRAM=256m";

  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final Duration ASKED_EVERY = Duration.ofMillis(100);

  private final RuntimeFolder runtime;
  private final Path folder;
  private int runs;

  /** A process of the training. */
  private record Run(Process process, TrainingSettings.Command command, Path log) {}

  private Training(RuntimeFolder runtime, Path folder) {
    this.runtime = runtime;
    this.folder = folder;
  }

  /** Makes the caches and puts them into the runtime. */
  static void run(RuntimeFolder runtime, Path root, Path folder)
      throws IOException, InterruptedException {
    FileTrees.empty(folder);
    var training = new Training(runtime, folder);
    try (var api = StubApiServer.start()) {
      var settings = TrainingSettings.write(folder, root, api.port());
      training.commands(settings);
      training.janitor(settings, api);
      training.audit(settings);
      training.webhook(settings);
    }
  }

  private void janitor(TrainingSettings settings, StubApiServer api)
      throws IOException, InterruptedException {
    var list = folder.resolve("janitor.classes");
    var janitor = start(Role.JANITOR, listing(list), settings.janitor());
    stop(janitor, api.awaitJanitor(LONGEST));
    dump(Role.JANITOR, classes(list));
  }

  private void commands(TrainingSettings settings) throws IOException, InterruptedException {
    var classes = new HashSet<String>();
    for (var command : settings.commands()) {
      var list = folder.resolve("command-%d.classes".formatted(runs));
      end(start(Role.COMMAND, listing(list), command));
      classes.addAll(classes(list));
    }
    dump(Role.COMMAND, classes);
  }

  private void audit(TrainingSettings settings) throws IOException, InterruptedException {
    end(start(Role.AUDIT, learning(Role.AUDIT), settings.audit()));
  }

  private void webhook(TrainingSettings settings) throws IOException, InterruptedException {
    var webhook = start(Role.WEBHOOK, learning(Role.WEBHOOK), settings.webhook());
    var isReady = isReady(webhook.process(), settings.ready());
    if (isReady) {
      TrainingReviews.send(settings.admission(), settings.authority());
    }
    stop(webhook, isReady);
  }

  private Run start(Role role, List<String> options, TrainingSettings.Command command)
      throws IOException {
    var log = folder.resolve("run-%d.log".formatted(runs++));
    var all = new ArrayList<>(Entrypoint.command(runtime.path().toString(), role, options));
    all.addAll(command.arguments());
    var process =
        new ProcessBuilder(all)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new Run(process, command, log);
  }

  private static void stop(Run server, boolean served) throws IOException, InterruptedException {
    server.process().destroy();
    end(server);
    if (!served) {
      throw failure(server, "did not begin to work within " + LONGEST);
    }
  }

  private static void end(Run run) throws IOException, InterruptedException {
    if (!run.process().waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      run.process().destroyForcibly();
      throw failure(run, "did not end within " + LONGEST);
    }
    var exit = run.process().exitValue();
    if (exit != run.command().exit()) {
      throw failure(run, "ended with %d, not %d".formatted(exit, run.command().exit()));
    }
  }

  private static IOException failure(Run run, String what) throws IOException {
    return new IOException(
        "training: shipshape %s %s:%n%s"
            .formatted(
                String.join(" ", run.command().arguments()), what, Files.readString(run.log())));
  }

  /** Waits until a server is ready; false on timeout or if it ends. */
  private static boolean isReady(Process server, URI ready) throws InterruptedException {
    var end = System.nanoTime() + LONGEST.toNanos();
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(ready).build();
      while (server.isAlive() && System.nanoTime() < end) {
        try {
          if (http.send(request, BodyHandlers.discarding()).statusCode() == 200) {
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

  private static List<String> listing(Path list) {
    return List.of("-XX:DumpLoadedClassList=" + list);
  }

  /** Returns options for a run that writes its cache when it ends. */
  private List<String> learning(Role role) {
    return List.of(MEMORY, "-XX:AOTCacheOutput=" + runtime.path().resolve(role.cache()));
  }

  /**
   * Returns the entries of a JVM's list of loaded classes that are the same in each run, without
   * classes of other loaders than the JDK's.
   */
  private static Set<String> classes(Path list) throws IOException {
    try (Stream<String> lines = Files.lines(list)) {
      return lines
          .filter(line -> !line.startsWith("#") && !line.contains(" source: "))
          .map(line -> line.replaceFirst(" id: \\d+", ""))
          .collect(Collectors.toSet());
    }
  }

  /** Makes a cache from a list of classes; sorted, with lines about a class behind it. */
  private void dump(Role role, Set<String> classes) throws IOException, InterruptedException {
    var list = folder.resolve(role.name() + ".classes");
    Files.write(
        list,
        classes.stream()
            .sorted(
                Comparator.comparing((String line) -> line.startsWith("@"))
                    .thenComparing(Comparator.naturalOrder()))
            .toList());
    var options =
        List.of(
            "-Xshare:dump",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + runtime.path().resolve(role.cache()));
    var command = Entrypoint.command(runtime.path().toString(), role, options);
    Files.writeString(folder.resolve(role.name() + ".log"), BuildTool.run(folder, command));
  }
}
