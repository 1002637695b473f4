package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.certs.ClientContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * The webhook as a process of its own, with the JVM options that ship, in a container's memory as
 * the chart limits it by default, on a node with many processors.
 */
final class ShippedWebhook implements AutoCloseable {
  private static final Path OPTIONS = Path.of("options");

  /** The chart's {@code webhook.resources.limits.memory}, which a container would be seen by. */
  private static final String MEMORY = "-XX:MaxRAM=256m";

  private static final String PROCESSORS = "-XX:ActiveProcessorCount=16";

  private static final Pattern PORTS =
      Pattern.compile("listening on port (\\d+) .* on port (\\d+) for probes");

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final Path log;
  private final int port;
  private final int managementPort;
  private final HttpClient http;

  private ShippedWebhook(Process process, Path log, int port, int managementPort, HttpClient http) {
    this.process = process;
    this.log = log;
    this.port = port;
    this.managementPort = managementPort;
    this.http = http;
  }

  /**
   * Starts one; it listens, and need not be ready.
   *
   * @param folder for its files; one for each
   * @param guards the section of the settings, and what else is to be in them
   * @param options of the JVM, which win over those that ship
   */
  static ShippedWebhook start(Path folder, Path kubeconfig, String guards, String... options)
      throws Exception {
    Files.createDirectories(folder);
    var settings =
        Files.writeString(
            folder.resolve("webhook.yaml"),
            """
            apiVersion: shipshape.dev/v1
            listen: {host: 127.0.0.1, port: 0}
            management: {host: 127.0.0.1, port: 0}
            drain: 0s
            drainConnections: 0s
            """
                + guards);
    var bundle = folder.resolve("ca.crt");
    var log = folder.resolve("log");
    var command = new ArrayList<String>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("@" + OPTIONS.resolve("common"), "@" + OPTIONS.resolve("webhook")));
    command.addAll(List.of(MEMORY, PROCESSORS));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Shipshape.class.getName(), "webhook"));
    command.addAll(List.of("--settings", settings.toString()));
    command.addAll(List.of("--kubeconfig", kubeconfig.toString()));
    command.addAll(List.of("--ca-bundle", bundle.toString()));
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      var ports = awaitPorts(process, log);
      var http =
          HttpClient.newBuilder()
              .sslContext(ClientContext.of(Files.readString(bundle), null))
              .build();
      return new ShippedWebhook(process, log, ports[0], ports[1], http);
    } catch (Exception | AssertionError e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static int[] awaitPorts(Process process, Path log) throws IOException {
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (process.isAlive() && System.nanoTime() < end) {
      var said = PORTS.matcher(Files.readString(log));
      if (said.find()) {
        return new int[] {Integer.parseInt(said.group(1)), Integer.parseInt(said.group(2))};
      }
      pause();
    }
    throw new AssertionError("it does not listen:\n" + Files.readString(log));
  }

  int managementPort() {
    return managementPort;
  }

  /** Waits until it is ready. */
  void awaitReady() throws Exception {
    await(() -> page("/readyz").statusCode() == 200);
  }

  /** What it says of itself. */
  String metrics() throws Exception {
    return page("/metrics").body();
  }

  /** Waits until this is so, which it is while the process lives. */
  void await(Callable<Boolean> condition) throws Exception {
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      assertLives();
      assertThat(System.nanoTime()).as(log()).isLessThan(end);
      pause();
    }
  }

  /** Whether the process is the one that was started. */
  void assertLives() throws IOException {
    assertThat(process.isAlive()).as(log()).isTrue();
  }

  /** Sends a review as the API server does. */
  HttpResponse<String> post(String path, byte[] review) throws Exception {
    var request =
        HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:%d%s?timeout=30s".formatted(port, path)))
            .header("Content-Type", "application/json")
            .timeout(PATIENCE)
            .POST(BodyPublishers.ofByteArray(review))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  /** A page for probes and metrics. */
  private HttpResponse<String> page(String path) throws Exception {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(managementPort, path));
    try {
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(log(), e);
    }
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  private static void pause() {
    LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
  }

  /** Ends it as a node does that lacks memory, so that nothing is waited for. */
  @Override
  public void close() {
    http.shutdownNow();
    process.destroyForcibly().onExit().join();
  }
}
