package dev.shipshape.packaging;

import java.io.IOException;
import java.net.ServerSocket;
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
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  /** How long the janitor prunes and looks at its operator, each second. */
  private static final Duration JANITOR_WORKS = Duration.ofSeconds(15);

  private final RuntimeFolder runtime;
  private final Path folder;
  private final int admission = freePort();
  private final int management = freePort();
  private int runs;

  /** A line of the file {@code commands}. */
  private record Command(Role role, int exit, List<String> arguments) {
    static Command of(String line) {
      var words = List.of(line.split(" ", -1));
      return new Command(
          Role.valueOf(words.get(0)),
          Integer.parseInt(words.get(1)),
          words.subList(2, words.size()));
    }
  }

  /** A process of the training. */
  private record Run(Process process, Command command, Path log) {}

  private Training(RuntimeFolder runtime, Path folder) throws IOException {
    this.runtime = runtime;
    this.folder = folder;
  }

  /**
   * Makes the caches and puts them into the runtime.
   *
   * @param root the repository, with the files that the commands read
   */
  static void run(RuntimeFolder runtime, Path root, Path folder)
      throws IOException, InterruptedException {
    FileTrees.empty(folder);
    FileTrees.copy(root.resolve("packaging/training"), folder, _ -> true);
    FileTrees.copy(root.resolve("demo"), folder, file -> file.startsWith("worker-1-"));
    TrainingLog.write(folder);
    var training = new Training(runtime, folder);
    try (var api = new StubApiServer(folder)) {
      training.writePorts(api.port());
      training.commands();
      training.janitor(api);
      training.audit();
      training.webhook();
    }
  }

  private void writePorts(int api) throws IOException {
    for (var name : List.of("kubeconfig", "webhook.yaml")) {
      var file = folder.resolve(name);
      Files.writeString(
          file,
          Files.readString(file)
              .replace("API", Integer.toString(api))
              .replace("ADMISSION", Integer.toString(admission))
              .replace("MANAGEMENT", Integer.toString(management)));
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private List<Command> commands(Role role) throws IOException {
    return Files.readAllLines(folder.resolve("commands")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(Command::of)
        .filter(command -> command.role() == role)
        .toList();
  }

  private void commands() throws IOException, InterruptedException {
    var classes = new HashSet<String>();
    for (var command : commands(Role.COMMAND)) {
      var list = folder.resolve("command-%d.classes".formatted(runs));
      end(start(command, listing(list)));
      classes.addAll(classes(list));
    }
    dump(Role.COMMAND, classes);
  }

  private void janitor(StubApiServer api) throws IOException, InterruptedException {
    var list = folder.resolve("janitor.classes");
    var janitor = start(commands(Role.JANITOR).getFirst(), listing(list));
    janitor.process().waitFor(JANITOR_WORKS);
    janitor.process().destroy();
    end(janitor);
    if (!api.hasReadPods()) {
      throw failure(janitor, "did not look at its operator within " + JANITOR_WORKS);
    }
    dump(Role.JANITOR, classes(list));
  }

  private void audit() throws IOException, InterruptedException {
    end(start(commands(Role.AUDIT).getFirst(), learning(Role.AUDIT)));
  }

  private void webhook() throws IOException, InterruptedException {
    var webhook = start(commands(Role.WEBHOOK).getFirst(), learning(Role.WEBHOOK));
    try {
      if (isReady(webhook.process())) {
        TrainingReviews.send(URI.create("https://127.0.0.1:" + admission), folder);
      } else if (webhook.process().isAlive()) {
        throw failure(webhook, "was not ready within " + LONGEST);
      }
    } finally {
      webhook.process().destroy();
    }
    end(webhook);
  }

  private Run start(Command command, List<String> options) throws IOException {
    var log = folder.resolve("run-%d.log".formatted(runs++));
    var all =
        new ArrayList<>(Entrypoint.command(runtime.path().toString(), command.role(), options));
    all.addAll(command.arguments());
    var process = BuildTool.of(folder, all).redirectOutput(log.toFile()).start();
    return new Run(process, command, log);
  }

  private static void end(Run run) throws IOException, InterruptedException {
    if (!run.process().waitFor(LONGEST)) {
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
  private boolean isReady(Process server) throws InterruptedException {
    var ready = URI.create("http://127.0.0.1:%d/readyz".formatted(management));
    var end = System.nanoTime() + LONGEST.toNanos();
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(ready).timeout(LONGEST).build();
      while (server.isAlive() && System.nanoTime() < end) {
        try {
          if (http.send(request, BodyHandlers.discarding()).statusCode() == 200) {
            return true;
          }
        } catch (IOException e) {
          // It does not listen yet.
        }
        server.waitFor(POLL_INTERVAL);
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
