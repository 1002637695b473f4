package dev.shipshape.demo;

import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.restart.FileLog;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Metrics;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** The janitor as the demo runs it: armed, and reading the operator's log from a file. */
final class DemoJanitor implements AutoCloseable {
  /** As in janitor.yaml beside this class. */
  static final Duration COOLDOWN = Duration.ofSeconds(20);

  private static final Duration ELECTION = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final PrometheusMeterRegistry registry = Metrics.registry("janitor");
  private final PrintStream records;
  private final Janitor janitor;
  private final Path logFile;

  private DemoJanitor(Path folder, Path kubeconfig, Clock clock) throws IOException, BadSettings {
    logFile = folder.resolve("operator.log");
    Files.createFile(logFile);
    var settings =
        Files.writeString(folder.resolve("janitor.yaml"), Resources.read("janitor.yaml", Map.of()));
    records =
        new PrintStream(
            Files.newOutputStream(folder.resolve("deletions.jsonl")),
            false,
            StandardCharsets.UTF_8);
    client = ApiConnection.open(kubeconfig, null);
    janitor =
        Janitor.start(
            JanitorSettings.read(settings),
            client,
            clock,
            registry,
            records::println,
            new FileLog(logFile));
  }

  /**
   * Starts it.
   *
   * @param folder takes its settings, the operator's log, and a record of each deletion
   */
  static DemoJanitor start(Path folder, Path kubeconfig, Clock clock) {
    try {
      return new DemoJanitor(folder, kubeconfig, clock);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write the janitor's files to " + folder, e);
    } catch (BadSettings e) {
      throw new IllegalStateException("the demo's own settings are wrong", e);
    }
  }

  boolean awaitLeadership() throws InterruptedException {
    return janitor.awaitLeadership(ELECTION);
  }

  /** Makes this the operator's log. */
  void writeOperatorLog(String log) {
    try {
      Files.writeString(logFile, log);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + logFile, e);
    }
  }

  /** How the operator's log ends, as it lies on the disk. */
  String lastLineOfOperatorLog() {
    try {
      return Files.readAllLines(logFile).getLast();
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + logFile, e);
    }
  }

  PruneReport prune() {
    return janitor.prune();
  }

  OperatorReport checkOperator() {
    return janitor.checkOperator();
  }

  /** What Prometheus would scrape. */
  String metrics() {
    return registry.scrape();
  }

  @Override
  public void close() {
    janitor.close();
    client.close();
    records.close();
  }
}
