package dev.shipshape.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server in a process of its own. Its processor time and memory are read from Linux. */
final class Server implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final double TICKS_PER_SECOND = 100;
  private static final double KIBIBYTES = 1024;

  /** Says whether a server is ready. */
  @FunctionalInterface
  interface Probe {
    boolean succeeds() throws InterruptedException;
  }

  private final Process process;
  private final Probe probe;
  private final String url;
  private final Path bundle;

  private Server(Process process, Probe probe, String url, Path bundle) {
    this.process = process;
    this.probe = probe;
    this.url = url;
    this.bundle = bundle;
  }

  /**
   * Starts one.
   *
   * @param log where its output goes
   * @param url where it takes reviews
   * @param bundle the file of what it is to be trusted by, there once it is ready
   */
  static Server start(List<String> command, Path log, Probe probe, String url, Path bundle)
      throws IOException {
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
            .start();
    return new Server(process, probe, url, bundle);
  }

  String url() {
    return url;
  }

  /** What it is to be trusted by, PEM. */
  String bundle() throws IOException {
    return Files.readString(bundle);
  }

  /** Waits until it is ready; gives the seconds that it took from here. */
  double awaitReady() throws IOException, InterruptedException {
    var began = System.nanoTime();
    while (!probe.succeeds()) {
      if (!process.isAlive() || System.nanoTime() - began > PATIENCE.toNanos()) {
        throw new IOException("did not become ready: " + process.info().commandLine());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    return (System.nanoTime() - began) / 1e9;
  }

  /** Ready once this answers 200. */
  static Probe answering(URI address) {
    // One for all: making one takes longer than asking, on the processors that the server starts
    // on.
    var http = HttpClient.newHttpClient();
    var request = HttpRequest.newBuilder(address).build();
    return () -> {
      try {
        return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
      } catch (IOException e) {
        return false;
      }
    };
  }

  /** Ready once this port of 127.0.0.1 is listened on. */
  static Probe listeningOn(int port) {
    return () -> {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return socket.isConnected();
      } catch (IOException e) {
        return false;
      }
    };
  }

  /** Processor time that it has used, in seconds. */
  double processorSeconds() throws IOException {
    return processorSeconds(process.toHandle());
  }

  /** Processor time that any process has used, in seconds. */
  static double processorSeconds(ProcessHandle process) throws IOException {
    // After the name in brackets, which may hold anything: user and system time are fields 14, 15.
    var stat = Files.readString(Path.of("/proc/%d/stat".formatted(process.pid())));
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** Resident memory now, in MiB. */
  double residentMebibytes() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/%d/status".formatted(process.pid())))) {
      var resident = lines.filter(line -> line.startsWith("VmRSS:")).findFirst().orElseThrow();
      return Long.parseLong(resident.replaceAll("\\D", "")) / KIBIBYTES;
    }
  }

  /** Ends it as Kubernetes would, and waits. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
