package dev.shipshape.packaging;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files that the training's commands read, and those commands.
 *
 * @param audit reads an audit log, in the way in which most is read
 * @param log that log
 * @param ready where the webhook says that it is warm
 */
record TrainingSettings(
    List<List<String>> commands,
    List<String> audit,
    Path log,
    List<String> webhook,
    URI ready,
    List<String> janitor) {
  private static final String JANITOR =
      """
      apiVersion: shipshape.dev/v1
      management: {host: 127.0.0.1, port: 0}
      prune: {schedule: "* * * * * ?"}
      sessions: {source: custom-resources}
      operator: {checkEvery: 1s}
      """;

  static TrainingSettings write(Path folder, int port) throws IOException {
    var management = freePort();
    var webhook = Files.writeString(folder.resolve("webhook.yaml"), webhook(management)).toString();
    var janitor = Files.writeString(folder.resolve("janitor.yaml"), JANITOR).toString();
    var wrong = Files.writeString(folder.resolve("wrong.yaml"), "nonsense: 1\n").toString();
    var log = TrainingLog.write(folder.resolve("audit.log"));
    var kubeconfig = Files.writeString(folder.resolve("kubeconfig"), kubeconfig(port)).toString();
    return new TrainingSettings(
        List.of(
            List.of("--version"),
            List.of("--help"),
            List.of("webhook", "--help"),
            List.of("janitor", "--help"),
            List.of("demo", "--help"),
            List.of("prune", "--help"),
            List.of("completion", "helm"),
            List.of("webhok"),
            List.of("prune", "--kubeconfig", kubeconfig),
            List.of("prune", "--kubeconfig", kubeconfig, "-o", "json"),
            List.of("status", "--kubeconfig", kubeconfig),
            List.of("schedule", "0 0/15 * * * ?"),
            List.of("hash", webhook),
            List.of("webhook", "--check", "--settings", webhook),
            List.of("webhook", "--check", "--settings", wrong),
            List.of("janitor", "--check", "--settings", janitor)),
        List.of(
            "audit",
            "timeline",
            "--mutations",
            "--object",
            "pods/shop/*",
            "--object",
            "configmaps/settings",
            "-o",
            "csv",
            log.toString()),
        log,
        List.of("webhook", "--settings", webhook, "--kubeconfig", kubeconfig),
        URI.create("http://127.0.0.1:%d/readyz".formatted(management)),
        List.of("janitor", "--settings", janitor, "--kubeconfig", kubeconfig));
  }

  private static String webhook(int management) {
    return """
    apiVersion: shipshape.dev/v1
    listen: {host: 127.0.0.1, port: 0}
    management: {host: 127.0.0.1, port: %d}
    drain: 0s
    drainConnections: 0s
    guards: [{preset: nodeconfig}, {preset: schiff-revisions}, {preset: t-caas}]
    """
        .formatted(management);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
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
}
