package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.Kubeconfig;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The two servers as the processes that an image will start. */
class ServersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String SETTINGS =
      """
      apiVersion: shipshape.dev/v1
      listen: {host: 127.0.0.1, port: 0}
      management: {host: 127.0.0.1, port: 0}
      guards: [{preset: nodeconfig}]
      """;

  private static final String NOBODY = Kubeconfig.anonymous("http://127.0.0.1:1");

  @TempDir private Path folder = Path.of("");
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void kill() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void theWebhookStaysUpWithoutAnApiServerAndEndsInOrderWhenTold() throws Exception {
    var settings = write("webhook.yaml", SETTINGS);
    var bundle = folder.resolve("ca.crt");

    var process =
        start(
            "webhook",
            "--settings",
            settings,
            "--kubeconfig",
            write("config", NOBODY),
            "--ca-bundle",
            bundle.toString());

    assertThat(awaitLine(process, "127.0.0.1:1")).as("one line names the server").isNotNull();
    assertThat(bundle).content().contains("BEGIN CERTIFICATE");
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void theJanitorWithWrongSettingsStaysUpIdleAndSaysWhyUntilTheyAreRight() throws Exception {
    var settings =
        write(
            "janitor.yaml",
            """
            apiVersion: shipshape.dev/v1
            prune: {olderThan: 7}
            management: {port: 0}
            """);

    var process = start("janitor", "--settings", settings, "--kubeconfig", write("config", NOBODY));

    assertThat(awaitLine(process, "janitor.yaml:2: prune.olderThan: not a duration"))
        .contains("idle");
    assertThat(process.isAlive()).isTrue();
    var port = awaitLine(process, "probes and metrics on port ").replaceAll(".* ", "");
    assertThat(port).as("as its readable part says").isNotEqualTo("8081");
    try (var http = HttpClient.newHttpClient()) {
      var metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
      assertThat(http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString()).body())
          .contains("shipshape_janitor_settings_valid 0.0");
    }
    write(
        "janitor.yaml",
        """
        apiVersion: shipshape.dev/v1
        prune: {olderThan: 7d}
        management: {port: 0}
        """);
    assertThat(awaitLine(process, "janitor: pruning ")).as("by other settings").isNotNull();
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
  }

  private Process start(String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Shipshape.class.getName());
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    started.add(process);
    return process;
  }

  /** Reads what the process prints up to a line with this part; ends it if none comes. */
  private static String awaitLine(Process process, String part) throws IOException {
    var seen = new StringBuilder();
    var end =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    var lines = process.inputReader();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      seen.append(line).append('\n');
      if (line.contains(part)) {
        end.cancel(false);
        return line;
      }
    }
    throw new AssertionError("no line with \"" + part + "\" in:\n" + seen);
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
