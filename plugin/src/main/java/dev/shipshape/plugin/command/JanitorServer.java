package dev.shipshape.plugin.command;

import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.ManagementServer;
import dev.shipshape.service.Metrics;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The janitor as a process: at work where it can be, else idle with the reasons in log and metrics.
 * It never ends by itself, because a container that ends makes its pod unready, and the webhook is
 * in the same pod.
 */
final class JanitorServer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(JanitorServer.class);

  private static final Duration NEXT_TRY = Duration.ofSeconds(30);

  /** How often it is looked whether the settings are still those that it works by. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final Path settings;
  private final Supplier<KubernetesClient> connect;
  private final ScheduledExecutorService tasks =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
  private PrometheusMeterRegistry registry = Metrics.registry("janitor");
  private final Deque<Runnable> closing = new ArrayDeque<>();
  private String read = "";

  private JanitorServer(Path settings, Supplier<KubernetesClient> connect) {
    this.settings = settings;
    this.connect = connect;
  }

  /**
   * Starts it. It begins anew whenever the settings change: a pod that was there before, or that a
   * rollback of the Deployment has made, does not go on by settings that are gone.
   *
   * @param connect makes the client; its {@link StartFailure} makes the janitor idle
   */
  static JanitorServer start(Path settings, Supplier<KubernetesClient> connect) {
    var running = new JanitorServer(settings, connect);
    running.begin();
    var _ =
        running.tasks.scheduleWithFixedDelay(
            running::beginAnewIfChanged, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
    return running;
  }

  private synchronized void begin() {
    read = content();
    try {
      work(JanitorSettings.readUsable(settings));
    } catch (BadSettings e) {
      idle(e.problems());
    } catch (StartFailure e) {
      idle(List.of(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      logger.error("janitor: could not start, which is a bug", e);
      idle(List.of("could not start: " + e));
    }
    var management = JanitorSettings.managementOf(settings);
    manage(management.host(), management.port());
  }

  private synchronized void beginAnewIfChanged() {
    if (!content().equals(read)) {
      logger.info("janitor: {} has changed: begins anew", settings);
      end();
      begin();
    }
  }

  private String content() {
    try {
      return Files.readString(settings);
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public synchronized void close() {
    tasks.shutdownNow();
    end();
  }

  /** Whatever has been opened is closed, and its metrics go with it: nothing claims to work. */
  private void end() {
    closing.forEach(Runnable::run);
    closing.clear();
    registry = Metrics.registry("janitor");
  }

  private void idle(List<String> problems) {
    end();
    Janitor.idle(problems, registry);
  }

  private void work(JanitorSettings settings) {
    var client = connect.get();
    closing.push(client::close);
    closing.push(
        Janitor.start(settings, client, Clock.systemUTC(), registry, JanitorServer::writeAuditLine)
            ::close);
  }

  /** What leaves no line is not done. */
  static void writeAuditLine(String line) {
    System.out.println(line);
    // Flushes too; of itself a stream that prints says nothing of a failure.
    if (System.out.checkError()) {
      throw new IllegalStateException("could not write an audit line to standard output");
    }
  }

  /**
   * A taken port costs the metrics, not the work. On the node's own network it is the pod's that
   * ends: so it is tried again.
   */
  private synchronized void manage(String host, int port) {
    try {
      var server = ManagementServer.start(host, port, Optional::empty, registry);
      closing.push(server::close);
      logger.info("janitor: probes and metrics on port {}", server.port());
    } catch (StartFailure e) {
      logger.error("janitor: {}; tried again in {} s", e.getMessage(), NEXT_TRY.toSeconds());
      var retry = tasks.schedule(() -> manage(host, port), NEXT_TRY.toSeconds(), TimeUnit.SECONDS);
      closing.push(() -> retry.cancel(false));
    }
  }
}
