package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.service.ManagementServer;
import dev.shipshape.service.Metrics;
import dev.shipshape.service.Readiness;
import dev.shipshape.webhook.certificate.ApiServerClock;
import dev.shipshape.webhook.timeout.SteadyClock;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
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
  /** The Lease by which the replicas elect the one that writes. */
  public static final String LEASE = "shipshape-webhook";

  /**
   * The same where there are no certificates to write. Another one, so that replicas that come to
   * manage certificates need not wait for those that do not.
   */
  public static final String MEMORY_LEASE = "shipshape-webhook-memory";

  private static final Logger logger = LoggerFactory.getLogger(WebhookServer.class);

  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

  private final Duration drain;
  private final Duration drainConnections;
  private final AtomicBoolean draining;
  private final Readiness readiness;
  private final Vertx vertx;
  private final AdmissionServer admission;
  private final ManagementServer management;
  private final OpenParts parts;

  private WebhookServer(
      Duration drain,
      Duration drainConnections,
      AtomicBoolean draining,
      Readiness readiness,
      Vertx vertx,
      AdmissionServer admission,
      ManagementServer management,
      OpenParts parts) {
    this.drain = drain;
    this.drainConnections = drainConnections;
    this.draining = draining;
    this.readiness = readiness;
    this.vertx = vertx;
    this.admission = admission;
    this.management = management;
    this.parts = parts;
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
    return start(settings, certificates, client, Metrics.registry("webhook"), null);
  }

  /**
   * The same, where some of it is there already.
   *
   * @param registry what is scraped; where the certificates may have registered theirs
   * @param elected whether this replica leads; null to have it elected here, by the Lease {@code
   *     shipshape-webhook} in the pod's namespace, if anything needs that
   */
  public static WebhookServer start(
      WebhookSettings settings,
      CertificateSource certificates,
      KubernetesClient client,
      PrometheusMeterRegistry registry,
      @Nullable BooleanSupplier elected) {
    var time = new SteadyClock(new ApiServerClock(client), System::nanoTime);
    return start(settings, certificates, client, registry, elected, time);
  }

  /**
   * @param apiServerTime by which it is told how long something takes, and how old it is
   */
  static WebhookServer start(
      WebhookSettings settings,
      CertificateSource certificates,
      KubernetesClient client,
      PrometheusMeterRegistry registry,
      @Nullable BooleanSupplier elected,
      InstantSource apiServerTime) {
    var parts = new OpenParts();
    try {
      return start(settings, certificates, client, registry, elected, apiServerTime, parts);
    } catch (RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  private static WebhookServer start(
      WebhookSettings settings,
      CertificateSource certificates,
      KubernetesClient client,
      PrometheusMeterRegistry registry,
      @Nullable BooleanSupplier elected,
      InstantSource apiServerTime,
      OpenParts parts) {
    var draining = new AtomicBoolean();
    var watches = Watches.start(settings, client, elected, registry, apiServerTime);
    parts.add(watches::close);
    var guards = watches.guards();
    var events = events(settings, guards, client, registry, parts);
    var stamped =
        new StampedResources(settings.stamp(), StatusDiscovery.by(client), System::nanoTime);
    AdmissionMetrics.register(registry, settings.mode());
    var metrics = new AdmissionMetrics(registry);
    var entries = entries(settings, watches, stamped, metrics, events);

    var processors = Runtime.getRuntime().availableProcessors();
    var workers = new DecisionWorkers(processors);
    parts.add(workers::close);
    var vertx = vertx(processors);
    // Closing Vert.x closes both ports.
    parts.add(() -> vertx.close().toCompletionStage().toCompletableFuture().join());
    var door = new AdmissionDoor(vertx, entries, metrics, workers, draining::get);
    var clients = settings.clients() == null ? null : ClientAuthority.load(settings.clients());
    var limits = ConnectionLimits.of(settings.mostConnections());
    var admission =
        AdmissionServer.start(
            vertx, settings.listen(), certificates, clients, limits, door, processors);
    var warmUp = WarmUp.begin(vertx, settings, certificates, workers);
    parts.add(warmUp::close);
    Readiness readiness = () -> missing(draining, certificates, admission, watches, warmUp);
    CertificateMetrics.register(registry, admission, certificates);
    var management = manage(vertx, settings, readiness, registry);
    logger.info(
        "listening on port {} for the API server, on port {} for probes and metrics",
        admission.port(),
        management.port());
    vertx.setPeriodic(LOOK.toMillis(), tick -> look(vertx, watches, stamped));
    return new WebhookServer(
        settings.drain(),
        settings.drainConnections(),
        draining,
        readiness,
        vertx,
        admission,
        management,
        parts);
  }

  private static DecisionListener events(
      WebhookSettings settings,
      Guards guards,
      KubernetesClient client,
      MeterRegistry registry,
      OpenParts parts) {
    if (!settings.events().enabled()) {
      return DecisionListener.NOBODY;
    }
    var sink = EventSink.to(client, hostName(), InstantSource.system());
    var events = RefusalEvents.start(guards, sink, settings.events().every(), registry);
    parts.add(events::close);
    return events;
  }

  /** In a pod, the pod's name. */
  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  private static List<AdmissionEntry> entries(
      WebhookSettings settings,
      Watches watches,
      StampedResources stamped,
      AdmissionMetrics metrics,
      DecisionListener listener) {
    var guards = watches.guards();
    var decider =
        new ValidationDecider(
            guards,
            watches.knownInvalid(),
            watches.restorations(),
            settings.certificates().configuration() + "-override");
    var mode = settings.mode();
    var validate = new Enforcement(decider, settings.exempt(), mode);
    var override = new BreakGlass(validate, guards);
    return List.of(
        new AdmissionEntry(Entry.VALIDATE, mode, validate, metrics, listener),
        new AdmissionEntry(Entry.VALIDATE_OVERRIDE, mode, override, metrics, listener),
        new AdmissionEntry(Entry.MUTATE, mode, new Stamper(guards, stamped), metrics));
  }

  /** Looks after what does not report by itself. */
  private static void look(Vertx vertx, Watches watches, StampedResources stamped) {
    watches.look();
    if (stamped.isDue()) {
      vertx.executeBlocking(
          () -> {
            stamped.ask();
            return stamped;
          });
    }
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
    return readiness.missing();
  }

  /**
   * Ends without losing a call: not ready from now on, but serving until the API server has heard
   * of it, with answers that end their connections. What the API server keeps idle it closes itself
   * (after 90 s): closed from here, it could be just about to write a call into it, which it would
   * not send again. Returns when all is closed.
   */
  public void drain() {
    draining.set(true);
    logger.info("shutting down: not ready, serving for {} s more", drain.toSeconds());
    pause(drain);
    var end = System.nanoTime() + drainConnections.toNanos();
    while (admission.connections() > 0 && System.nanoTime() < end) {
      pause(LOOK);
    }
    logger.info("closing, with {} connections open", admission.connections());
    admission.shutDown(LAST_ANSWERS).toCompletionStage().toCompletableFuture().join();
    close();
  }

  private void pause(Duration time) {
    vertx
        .timer(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS)
        .toCompletionStage()
        .toCompletableFuture()
        .join();
  }

  @Override
  public void close() {
    parts.close();
  }

  private static Optional<String> missing(
      AtomicBoolean draining,
      CertificateSource certificates,
      AdmissionServer admission,
      Watches watches,
      WarmUp warmUp) {
    if (draining.get()) {
      return Optional.of("shutting down");
    }
    return certificates.missing().or(admission::missing).or(warmUp::missing).or(watches::missing);
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
}
