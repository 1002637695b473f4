package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.service.ManagementServer;
import dev.shipshape.service.Metrics;
import dev.shipshape.service.Readiness;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhook, running: the HTTPS port for the API server, the management port, and the watches
 * that feed what is known invalid. It listens at once, and is ready once everything is listed;
 * calls in between are put off, not waved through.
 */
public final class WebhookServer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(WebhookServer.class);

  private static final long LOOK_MILLIS = 500;

  private final Duration drain;
  private final AtomicBoolean draining;
  private final Watches watches;
  private final DecisionWorkers workers;
  private final Vertx vertx;
  private final AdmissionServer admission;
  private final ManagementServer management;

  private WebhookServer(
      Duration drain,
      AtomicBoolean draining,
      Watches watches,
      DecisionWorkers workers,
      Vertx vertx,
      AdmissionServer admission,
      ManagementServer management) {
    this.drain = drain;
    this.draining = draining;
    this.watches = watches;
    this.workers = workers;
    this.vertx = vertx;
    this.admission = admission;
    this.management = management;
  }

  /**
   * Starts and returns as soon as both ports listen. Where the API server cannot be reached or does
   * not grant what is needed, the server stays up, not ready, says so once a try and tries again.
   *
   * @param client stays the caller's to close, after the server
   * @throws dev.shipshape.service.StartFailure where a port is taken
   */
  public static WebhookServer start(
      WebhookSettings settings, CertificateSource certificates, KubernetesClient client) {
    return start(settings, certificates, client, null);
  }

  /**
   * The same, in a process that has a leader elected among the replicas already.
   *
   * @param elected whether this replica leads; null to have it elected here, by the Lease {@code
   *     shipshape-webhook} in the pod's namespace, if anything needs that
   */
  public static WebhookServer start(
      WebhookSettings settings,
      CertificateSource certificates,
      KubernetesClient client,
      @Nullable BooleanSupplier elected) {
    var registry = Metrics.registry("webhook");
    var draining = new AtomicBoolean();
    var metrics = new AdmissionMetrics(registry);
    var processors = Runtime.getRuntime().availableProcessors();
    var workers = new DecisionWorkers(processors);
    var vertx = vertx(processors);
    var watches = Watches.start(settings, client, elected, registry);
    try {
      var entries = entries(settings, watches, metrics);
      var door = new AdmissionDoor(vertx, entries, metrics, workers, draining::get);
      var admission =
          AdmissionServer.start(vertx, settings.listen(), certificates, door, processors);
      var management = manage(vertx, settings, () -> missing(watches, draining), registry);
      logger.info(
          "listening on port {} for the API server, on port {} for probes and metrics",
          admission.port(),
          management.port());
      vertx.setPeriodic(LOOK_MILLIS, tick -> watches.look());
      return new WebhookServer(
          settings.drain(), draining, watches, workers, vertx, admission, management);
    } catch (RuntimeException e) {
      stop(watches, workers, vertx);
      throw e;
    }
  }

  private static List<AdmissionEntry> entries(
      WebhookSettings settings, Watches watches, AdmissionMetrics metrics) {
    var guards = watches.guards();
    var validate =
        new Enforcement(
            new ValidationDecider(guards, watches.knownInvalid(), watches.restorations()),
            settings.exempt(),
            settings.mode());
    return List.of(
        new AdmissionEntry(Entry.VALIDATE, validate, metrics),
        new AdmissionEntry(Entry.VALIDATE_OVERRIDE, new BreakGlass(validate, guards), metrics),
        new AdmissionEntry(Entry.MUTATE, new Stamper(guards), metrics));
  }

  /** The port for the API server. */
  public int port() {
    return admission.port();
  }

  /** The port for probes and metrics. */
  public int managementPort() {
    return management.port();
  }

  /** Why the server should get no calls now; empty when it is ready. */
  public Optional<String> missing() {
    return missing(watches, draining);
  }

  /**
   * Ends without losing a call: not ready from now on, but serving until the API server has heard
   * of it, with answers that end their connections. Returns when all is closed.
   */
  public void drain() {
    draining.set(true);
    logger.info("shutting down: not ready, serving for {} s more", drain.toSeconds());
    vertx
        .timer(Math.max(1, drain.toMillis()), TimeUnit.MILLISECONDS)
        .toCompletionStage()
        .toCompletableFuture()
        .join();
    close();
  }

  @Override
  public void close() {
    stop(watches, workers, vertx);
  }

  private static Optional<String> missing(Watches watches, AtomicBoolean draining) {
    if (draining.get()) {
      return Optional.of("shutting down");
    }
    return watches.missing();
  }

  private static ManagementServer manage(
      Vertx vertx,
      WebhookSettings settings,
      Readiness readiness,
      PrometheusMeterRegistry registry) {
    var address = settings.management();
    return ManagementServer.start(vertx, address.host(), address.port(), readiness, registry);
  }

  private static Vertx vertx(int eventLoops) {
    var files =
        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
    return Vertx.vertx(
        new VertxOptions().setEventLoopPoolSize(eventLoops).setFileSystemOptions(files));
  }

  /** Closing Vert.x closes both ports. */
  private static void stop(Watches watches, DecisionWorkers workers, Vertx vertx) {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    workers.close();
    watches.close();
  }
}
