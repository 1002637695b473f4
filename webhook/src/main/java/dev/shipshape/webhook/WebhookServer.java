package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.service.ManagementServer;
import dev.shipshape.service.Metrics;
import dev.shipshape.service.Readiness;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.IndexFeed;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final List<IndexFeed> feeds;
  private final CertificateSource certificates;
  private final DecisionWorkers workers;
  private final Vertx vertx;
  private final AdmissionServer admission;
  private final ManagementServer management;

  private WebhookServer(
      Duration drain,
      AtomicBoolean draining,
      List<IndexFeed> feeds,
      CertificateSource certificates,
      DecisionWorkers workers,
      Vertx vertx,
      AdmissionServer admission,
      ManagementServer management) {
    this.drain = drain;
    this.draining = draining;
    this.feeds = feeds;
    this.certificates = certificates;
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
    return start(settings, certificates, client, Metrics.registry("webhook"));
  }

  /**
   * Starts as the other does.
   *
   * @param registry what is scraped; where the certificates may have registered theirs
   */
  public static WebhookServer start(
      WebhookSettings settings,
      CertificateSource certificates,
      KubernetesClient client,
      PrometheusMeterRegistry registry) {
    var draining = new AtomicBoolean();
    var metrics = new AdmissionMetrics(registry);
    var feeds = new ArrayList<IndexFeed>();
    var indexes = new ArrayList<GuardIndex>();
    var processors = Runtime.getRuntime().availableProcessors();
    var workers = new DecisionWorkers(processors);
    var vertx = vertx(processors);
    try {
      for (var guard : settings.guards()) {
        if (guard.stampsOnly()) {
          indexes.add(GuardIndex.ofNothing(guard));
        } else {
          var feed = IndexFeed.start(guard, client, settings.staleness());
          feeds.add(feed);
          indexes.add(feed);
          register(registry, feed);
        }
      }
      var entries = entries(settings, new Guards(indexes), metrics);
      var door = new AdmissionDoor(vertx, entries, metrics, workers, draining::get);
      var admission =
          AdmissionServer.start(vertx, settings.listen(), certificates, door, processors);
      CertificateMetrics.register(registry, admission, certificates);
      var management =
          manage(vertx, settings, () -> missing(feeds, certificates, draining), registry);
      logger.info(
          "listening on port {} for the API server, on port {} for probes and metrics",
          admission.port(),
          management.port());
      vertx.setPeriodic(LOOK_MILLIS, tick -> feeds.forEach(IndexFeed::look));
      return new WebhookServer(
          settings.drain(),
          draining,
          List.copyOf(feeds),
          certificates,
          workers,
          vertx,
          admission,
          management);
    } catch (RuntimeException e) {
      stop(feeds, workers, vertx);
      throw e;
    }
  }

  private static List<AdmissionEntry> entries(
      WebhookSettings settings, Guards guards, AdmissionMetrics metrics) {
    var validate =
        new Enforcement(
            new ValidationDecider(guards, settings.scope()), settings.exempt(), settings.mode());
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
    return missing(feeds, certificates, draining);
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
    stop(feeds, workers, vertx);
  }

  private static Optional<String> missing(
      List<IndexFeed> feeds, CertificateSource certificates, AtomicBoolean draining) {
    if (draining.get()) {
      return Optional.of("shutting down");
    }
    var noCertificate = certificates.missing();
    if (noCertificate.isPresent()) {
      return noCertificate;
    }
    return feeds.stream().flatMap(feed -> feed.missing().stream()).findFirst();
  }

  private static ManagementServer manage(
      Vertx vertx,
      WebhookSettings settings,
      Readiness readiness,
      PrometheusMeterRegistry registry) {
    var address = settings.management();
    return ManagementServer.start(vertx, address.host(), address.port(), readiness, registry);
  }

  private static void register(PrometheusMeterRegistry registry, IndexFeed feed) {
    var guard = feed.guard().name();
    Gauge.builder("shipshape.webhook.index.objects", feed, of -> of.index().size())
        .description("Objects that the index knows, by guard.")
        .tag("guard", guard)
        .register(registry);
    Gauge.builder("shipshape.webhook.index.known.invalid", feed, of -> of.index().invalidSize())
        .description("Configurations that are known invalid, by guard.")
        .tag("guard", guard)
        .register(registry);
    Gauge.builder(
            "shipshape.webhook.index.staleness", feed, of -> of.staleness().toMillis() / 1000.0)
        .baseUnit("seconds")
        .description("How long ago the index last followed the API server, by guard.")
        .tag("guard", guard)
        .register(registry);
    Gauge.builder("shipshape.webhook.index.synced", feed, of -> of.synced() ? 1 : 0)
        .description("1 once everything that exists has been listed, by guard.")
        .tag("guard", guard)
        .register(registry);
  }

  private static Vertx vertx(int eventLoops) {
    var files =
        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
    return Vertx.vertx(
        new VertxOptions().setEventLoopPoolSize(eventLoops).setFileSystemOptions(files));
  }

  /** Closing Vert.x closes both ports. */
  private static void stop(List<IndexFeed> feeds, DecisionWorkers workers, Vertx vertx) {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    workers.close();
    feeds.forEach(IndexFeed::close);
  }
}
