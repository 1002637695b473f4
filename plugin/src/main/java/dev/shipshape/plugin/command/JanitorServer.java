package dev.shipshape.plugin.command;

import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Logging;
import dev.shipshape.service.ManagementServer;
import dev.shipshape.service.Metrics;
import dev.shipshape.service.PeriodicTask;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The janitor's process. If the janitor cannot work, the process idles and reports why in log and
 * metrics. It never exits by itself: a container that exits makes its pod unready, and the webhook
 * is in the same pod.
 */
final class JanitorServer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(JanitorServer.class);

  /** How often the settings file is checked for a change. */
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(2);

  private final Path settings;
  private final Supplier<KubernetesClient> connect;
  private final Deque<Runnable> closing = new ArrayDeque<>();
  private PrometheusMeterRegistry registry = Metrics.registry("janitor");
  private boolean hasManagement;

  /** The settings file's text by which the janitor was started; null to start it again. */
  private @Nullable String startedWith;

  private volatile boolean hasLostThread;
  private @Nullable PeriodicTask task;

  private JanitorServer(Path settings, Supplier<KubernetesClient> connect) {
    this.settings = settings;
    this.connect = connect;
  }

  /**
   * Starts it. It restarts the janitor whenever the settings file changes, so that a pod that is
   * older than a change, or was made by a rollback of the Deployment, does not keep obsolete
   * settings.
   *
   * @param connect makes the client; its {@link StartFailure} makes the janitor idle
   */
  static JanitorServer start(Path settings, Supplier<KubernetesClient> connect) {
    var running = new JanitorServer(settings, connect);
    running.task = PeriodicTask.start("janitor", CHECK_INTERVAL, running::reconcile);
    return running;
  }

  /**
   * Begins anew if an error, such as OutOfMemoryError, has ended a thread of a library: without its
   * scheduler, a janitor would keep the Lease and do nothing.
   */
  void threadEnded(Thread thread, Throwable failure) {
    if (failure instanceof Error) {
      hasLostThread = true;
    }
    // Last: it may need memory that is not there.
    logger.error("janitor: the thread {} has ended", thread.getName(), failure);
  }

  private synchronized void reconcile() {
    if (hasLostThread) {
      hasLostThread = false;
      // Tried again until it works.
      startedWith = null;
    }
    var content = content();
    if (!content.equals(startedWith)) {
      if (startedWith != null) {
        logger.info("janitor: {} has changed: restarting", settings);
      }
      stop();
      startOrIdle();
      startedWith = content;
    }
    if (!hasManagement) {
      openManagementPort();
    }
  }

  private String content() {
    try {
      return Files.readString(settings);
    } catch (IOException e) {
      return "";
    }
  }

  private void startOrIdle() {
    Logging.begin(settings);
    try {
      startJanitor(JanitorSettings.read(settings));
    } catch (BadSettings e) {
      idle(e.problems());
    } catch (StartFailure e) {
      idle(List.of(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      logger.error("janitor: could not start, which is a bug", e);
      idle(List.of("could not start: " + e));
    }
  }

  @Override
  public void close() {
    Optional.ofNullable(task).ifPresent(PeriodicTask::close);
    stop();
  }

  /** Closes all and removes the metrics, so that a stopped janitor does not look alive. */
  private synchronized void stop() {
    closing.forEach(Runnable::run);
    closing.clear();
    hasManagement = false;
    registry = Metrics.registry("janitor");
  }

  private void idle(List<String> problems) {
    stop();
    Janitor.idle(problems, registry);
  }

  private void startJanitor(JanitorSettings settings) {
    var client = connect.get();
    closing.push(client::close);
    closing.push(
        Janitor.start(
                settings,
                client,
                Clock.systemUTC(),
                registry,
                line -> writeAuditLine(System.out, line))
            ::close);
  }

  /** Fails if the line cannot be written: an action without its audit line must not happen. */
  static void writeAuditLine(PrintStream stream, String line) {
    stream.println(line);
    // Also flushes. A PrintStream does not throw.
    if (stream.checkError()) {
      throw new IllegalStateException("could not write an audit line");
    }
  }

  /**
   * Opens the management port. If it is taken, the janitor works without metrics, and the task logs
   * it and tries again.
   */
  private void openManagementPort() {
    var port = JanitorSettings.managementPortOf(settings);
    var server = ManagementServer.start("0.0.0.0", port, Optional::empty, registry);
    closing.push(server::close);
    hasManagement = true;
    logger.info("janitor: probes and metrics on port {}", server.port());
  }
}
