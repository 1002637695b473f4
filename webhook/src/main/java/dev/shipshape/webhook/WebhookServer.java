package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.service.ManagementServer;
import dev.shipshape.service.Metrics;
import dev.shipshape.service.Readiness;
import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionRoutes;
import dev.shipshape.webhook.admission.BodyBudget;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.arming.Arming;
import dev.shipshape.webhook.certificate.CertificateSettings;
import dev.shipshape.webhook.certificate.FolderCertificates;
import dev.shipshape.webhook.certificate.SelfManagedCertificates;
import dev.shipshape.webhook.certificate.ServerClock;
import dev.shipshape.webhook.certificate.WebhookConfigurations;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Guards;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Attempts;
import dev.shipshape.webhook.mutation.HashAnnotator;
import dev.shipshape.webhook.server.AdmissionServer;
import dev.shipshape.webhook.server.ClientCertificates;
import dev.shipshape.webhook.store.KnownInvalidStore;
import dev.shipshape.webhook.validation.GuardEvents;
import dev.shipshape.webhook.validation.RollbackExemptions;
import dev.shipshape.webhook.validation.ValidationHandler;
import dev.shipshape.webhook.validation.WriteMetrics;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhook, running: the HTTPS port for the API server, the management port, and the watches
 * that feed what is known invalid. It listens at once, and is ready once everything is listed;
 * calls in between are postponed, not let through.
 */
public final class WebhookServer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(WebhookServer.class);

  private static final Clock CLOCK = Clock.systemUTC();
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
   * @param inMemory the certificate where the settings name no other source
   * @param client stays the caller's to close, after the server
   * @throws dev.shipshape.service.StartFailure where a port is taken
   */
  public static WebhookServer start(
      WebhookSettings settings, @Nullable CertificateSource inMemory, KubernetesClient client) {
    return start(settings, inMemory, client, new ServerClock(client));
  }

  /**
   * @param serverTime the API server's clock, by which it is told how old something is
   */
  static WebhookServer start(
      WebhookSettings settings,
      @Nullable CertificateSource inMemory,
      KubernetesClient client,
      InstantSource serverTime) {
    var parts = new OpenParts();
    try {
      return start(settings, inMemory, client, serverTime, parts);
    } catch (RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  private static WebhookServer start(
      WebhookSettings settings,
      @Nullable CertificateSource inMemory,
      KubernetesClient client,
      InstantSource serverTime,
      OpenParts parts) {
    var registry = Metrics.registry("webhook");
    var configurations =
        WebhookConfigurations.watch(client, settings.certificates().configurationNames());
    parts.add(configurations::close);
    armedGauges(registry, settings, configurations);
    if (settings.registration() != null) {
      parts.add(Arming.start(settings.registration(), client, configurations, registry)::close);
    }
    var certificates = certificates(settings, inMemory, client, configurations, registry);
    parts.add(certificates::close);
    var draining = new AtomicBoolean();
    var known =
        new KnownInvalid(settings.guards(), settings.scope(), settings.knownInvalid().rewrite());
    var guards = new Guards(settings.guards());
    var events = events(settings, guards, client, registry, parts);
    var store =
        KnownInvalidStore.start(
            known,
            client,
            settings.knownInvalid(),
            settings.staleness(),
            serverTime,
            learned(settings.guards(), registry, events));
    parts.add(store::close);
    var watches = Informers.start(settings, client, known, store);
    parts.add(watches::close);
    KnownInvalidMetrics.register(registry, settings.guards(), known, watches);
    var metrics = new AdmissionMetrics(registry);
    var endpoints = endpoints(settings, guards, known, watches, metrics, registry, events);

    var processors = Runtime.getRuntime().availableProcessors();
    var vertx = vertx(processors);
    // Closing Vert.x closes both ports.
    parts.add(() -> vertx.close().toCompletionStage().toCompletableFuture().join());
    var clients = settings.clients() == null ? null : ClientCertificates.load(settings.clients());
    var handler =
        AdmissionRoutes.router(vertx, endpoints, metrics, draining::get, BodyBudget.ofHeap());
    var limits = AdmissionServer.Limits.of(settings.mostConnections(), settings.tls13Only());
    var admission =
        AdmissionServer.start(
            vertx, settings.listen(), certificates, clients, limits, handler, processors);
    Readiness readiness = () -> missing(draining, certificates, admission, watches);
    Gauge.builder("shipshape.webhook.ready", readiness, of -> of.notReadyReason().isEmpty() ? 1 : 0)
        .description("1 where this replica should get calls.")
        .strongReference(true)
        .register(registry);
    CertificateMetrics.register(registry, admission, certificates);
    var management = manage(settings, readiness, registry);
    logger.info(
        "listening on port {} for the API server, on port {} for probes and metrics",
        admission.port(),
        management.port());
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

  private static void armedGauges(
      MeterRegistry registry, WebhookSettings settings, WebhookConfigurations configurations) {
    for (var guard : settings.guards()) {
      if (!guard.stampsOnly()) {
        var resource = guard.resource();
        Gauge.builder(
                "shipshape.webhook.armed",
                configurations,
                of -> of.arms(resource.group(), resource.plural()) ? 1 : 0)
            .description("1 where the API server has writes refused that are known invalid.")
            .tag("guard", guard.name())
            .register(registry);
      }
    }
  }

  private static CertificateSource certificates(
      WebhookSettings settings,
      @Nullable CertificateSource inMemory,
      KubernetesClient client,
      WebhookConfigurations configurations,
      MeterRegistry registry) {
    return switch (settings.certificates()) {
      case CertificateSettings.InMemory _ -> Objects.requireNonNull(inMemory, "no certificate");
      case CertificateSettings.Files files ->
          FolderCertificates.start(files, configurations, Clock.systemUTC(), registry);
      case CertificateSettings.SelfManaged own ->
          SelfManagedCertificates.start(own, client, configurations, Clock.systemUTC(), registry);
    };
  }

  /** Counts what this replica was the first to write as invalid, and tells it by an Event. */
  private static Consumer<KnownInvalidConfiguration> learned(
      List<Guard> guards, MeterRegistry registry, List<GuardEvents> events) {
    var counters =
        Counter.builder("shipshape.webhook.known.invalid.learned")
            .description("Configurations that became known invalid, by guard.")
            .withRegistry(registry);
    guards.stream()
        .filter(guard -> !guard.stampsOnly())
        .forEach(guard -> counters.withTag("guard", guard.name()));
    return known -> {
      counters.withTag("guard", known.key().guard()).increment();
      events.forEach(to -> to.learned(known));
    };
  }

  private static List<GuardEvents> events(
      WebhookSettings settings,
      Guards guards,
      KubernetesClient client,
      MeterRegistry registry,
      OpenParts parts) {
    if (!settings.events().enabled()) {
      return List.of();
    }
    var events = GuardEvents.start(guards, client, hostName(), settings.events().every(), registry);
    parts.add(events::close);
    return List.of(events);
  }

  /** In a pod, the pod's name. */
  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  private static List<AdmissionEndpoint> endpoints(
      WebhookSettings settings,
      Guards guards,
      KnownInvalid known,
      Informers watches,
      AdmissionMetrics metrics,
      MeterRegistry registry,
      List<GuardEvents> events) {
    var validate =
        new ValidationHandler(
            guards,
            known,
            watches,
            new RollbackExemptions(known, watches::isRollingOut),
            settings.certificates().configurationNames().validating() + "-override");
    var listeners = new ArrayList<BiConsumer<AdmissionRequest, Decision>>();
    events.forEach(to -> listeners.add(to::decided));
    var writes = new WriteMetrics(registry, settings.guards());
    listeners.add((request, decision) -> writes.decided(request));
    listeners.add((request, decision) -> count(guards, known, request, decision));
    var annotator = new HashAnnotator(guards, settings.stamp());
    return List.of(
        new AdmissionEndpoint(Endpoint.VALIDATE, validate::deny, metrics, listeners),
        new AdmissionEndpoint(Endpoint.VALIDATE_OVERRIDE, validate::override, metrics, listeners),
        new AdmissionEndpoint(Endpoint.AUDIT, validate::warn, metrics, listeners),
        new AdmissionEndpoint(Endpoint.MUTATE, annotator, metrics, List.of()),
        new AdmissionEndpoint(Endpoint.PROOF, Arming::answer, metrics, List.of()));
  }

  /** Counts what is refused, or would be: dry runs have no effect. */
  private static void count(
      Guards guards, KnownInvalid known, AdmissionRequest request, Decision decision) {
    var guard = guards.of(request.resource().toString());
    var hash = decision.audit().get(Decision.CONFIG_HASH);
    var isRefused = decision.reason() == Reason.KNOWN_INVALID;
    if (guard != null
        && hash != null
        && !request.dryRun()
        && (isRefused || decision.reason() == Reason.WOULD_BE_REFUSED)) {
      known.attempted(
          guard,
          request.namespace(),
          ConfigHash.parse(hash),
          new Attempts(isRefused ? 1 : 0, isRefused ? 0 : 1, CLOCK.instant(), request.user()));
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
  public Optional<String> notReadyReason() {
    return readiness.notReadyReason();
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
      Informers watches) {
    if (draining.get()) {
      return Optional.of("shutting down");
    }
    return certificates.notReadyReason().or(admission::notReadyReason).or(watches::notReadyReason);
  }

  private static ManagementServer manage(
      WebhookSettings settings, Readiness readiness, PrometheusMeterRegistry registry) {
    var address = settings.management();
    return ManagementServer.start(address.host(), address.port(), readiness, registry);
  }

  private static Vertx vertx(int eventLoops) {
    var files =
        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
    return Vertx.vertx(
        new VertxOptions().setEventLoopPoolSize(eventLoops).setFileSystemOptions(files));
  }
}
