package dev.shipshape.packaging;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands of the training, and the files that they read.
 *
 * @param audit reads a typical audit log
 * @param authority the file in which the webhook writes the authority of its certificate
 */
record TrainingSettings(
    List<Command> commands,
    Command audit,
    Command webhook,
    URI admission,
    Path authority,
    URI ready,
    Command janitor) {
  private static final String JANITOR =
      """
      apiVersion: shipshape.dev/v1
      management: {port: 0}
      prune: {schedule: "* * * * * ?"}
      sessions: {source: custom-resources}
      restart: {checkEvery: 1s}
      """;

  /** The exit code of a JVM that SIGTERM ends. */
  private static final int TERMINATED = 128 + 15;

  /**
   * A command.
   *
   * @param exit the expected exit code
   */
  record Command(int exit, List<String> arguments) {
    private static Command of(String... arguments) {
      return new Command(0, List.of(arguments));
    }
  }

  /**
   * Writes the files.
   *
   * @param root the repository, whose demo has objects to hash
   */
  static TrainingSettings write(Path folder, Path root, int port) throws IOException {
    var admission = freePort();
    var management = freePort();
    var webhook = write(folder, "webhook.yaml", webhook(admission, management));
    var janitor = write(folder, "janitor.yaml", JANITOR);
    var authority = folder.resolve("ca.crt");
    var kubeconfig = write(folder, "kubeconfig", kubeconfig(port));
    var objects = root.resolve("demo");
    var object = objects.resolve("worker-1-again.yaml").toString();
    var invalid = objects.resolve("worker-1-invalid.yaml").toString();
    return new TrainingSettings(
        List.of(
            Command.of("--version"),
            Command.of("--help"),
            Command.of("known-invalid", "--kubeconfig", kubeconfig),
            cluster("sessions", janitor, kubeconfig),
            cluster("prune", janitor, kubeconfig),
            cluster("prune", janitor, kubeconfig, "-o", "json", "--confirm"),
            // There is no release: exit code 1.
            new Command(1, List.of("status", "--kubeconfig", kubeconfig)),
            // There is no janitor that has published its operator.
            new Command(4, List.of("operator", "--kubeconfig", kubeconfig)),
            Command.of("hash", object),
            Command.of("hash", "--explain", object),
            Command.of("diff", object, invalid),
            new Command(1, List.of("review", object, "--known-invalid", invalid)),
            new Command(1, List.of("review", object, "--known-invalid", invalid, "-o", "sarif")),
            new Command(1, List.of("review", object, "--known-invalid", invalid, "-o", "junit")),
            cluster("scan", webhook, kubeconfig),
            Command.of("webhook", "--check", "--settings", webhook),
            Command.of("janitor", "--check", "--settings", janitor)),
        Command.of(
            "audit",
            "timeline",
            "--mutations",
            "--object",
            "pods/shop/*",
            "--object",
            "configmaps/settings",
            "-o",
            "csv",
            TrainingLog.write(folder.resolve("audit.log")).toString()),
        server("webhook", webhook, kubeconfig, "--ca-bundle", authority.toString()),
        URI.create("https://127.0.0.1:%d".formatted(admission)),
        authority,
        URI.create("http://127.0.0.1:%d/readyz".formatted(management)),
        server("janitor", janitor, kubeconfig));
  }

  private static Command cluster(
      String name, String settings, String kubeconfig, String... further) {
    var arguments =
        new ArrayList<>(List.of(name, "--settings", settings, "--kubeconfig", kubeconfig));
    arguments.addAll(List.of(further));
    return Command.of(arguments.toArray(String[]::new));
  }

  private static Command server(
      String name, String settings, String kubeconfig, String... further) {
    return new Command(TERMINATED, cluster(name, settings, kubeconfig, further).arguments());
  }

  private static String webhook(int admission, int management) {
    return """
    apiVersion: shipshape.dev/v1
    listen: {host: 127.0.0.1, port: %d}
    management: {host: 127.0.0.1, port: %d}
    drain: 0s
    drainConnections: 0s
    guards: [{preset: nodeconfig}]
    """
        .formatted(admission, management);
  }

  private static String kubeconfig(int port) {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
    users: [{name: u, user: {token: t}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    current-context: x
    """
        .formatted(port);
  }

  private static String write(Path folder, String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
