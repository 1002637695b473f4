package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateFolder;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.LogLimiter;
import dev.shipshape.service.ManagementServer;
import dev.shipshape.service.Metrics;
import dev.shipshape.service.PeriodicTask;
import dev.shipshape.service.ServerClock;
import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionRoutes;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.arming.Arming;
import dev.shipshape.webhook.arming.Proof;
import dev.shipshape.webhook.certificate.SelfManagedCertificates;
import dev.shipshape.webhook.certificate.WebhookConfigurations;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Attempts;
import dev.shipshape.webhook.mutation.HashAnnotator;
import dev.shipshape.webhook.server.AdmissionServer;
import dev.shipshape.webhook.store.KnownInvalidStore;
import dev.shipshape.webhook.validation.GuardEvents;
import dev.shipshape.webhook.validation.RollbackExemptions;
import dev.shipshape.webhook.validation.ValidationHandler;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running webhook: the HTTPS port for the API server, the management port and the watches.
 * Listens at once and is ready after all lists are complete; earlier calls are postponed, not
 * allowed.
 */
public final class WebhookServer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(WebhookServer.class);

  private static final Clock CLOCK = Clock.systemUTC();
  private static final Duration DRAIN_POLL_INTERVAL = Duration.ofMillis(500);
  private static final Duration LAST_RESPONSES_TIMEOUT = Duration.ofSeconds(5);

  /** How often certificate files are checked for changes. */
  private static final Duration CERTIFICATE_POLL_INTERVAL = Duration.ofSeconds(5);

  private final WebhookSettings settings;
  private final KubernetesClient client;
  private final MeterRegistry registry;

  /** Closes what has been opened, the last first. */
  private final Deque<Runnable> closers;

  private final WebhookConfigurations configurations;
  private final CertificateSource certificates;
  private final Map<String, Guard> guards;

  /** Without those that only stamp: another replica's settings may judge such resources. */
  private final List<Guard> refusingGuards;

  private final KnownInvalid known;
  private final List<GuardEvents> events;
  private final Watches watches;
  private final Vertx vertx;
  private final AdmissionServer admission;
  private final ManagementServer management;
  private volatile boolean draining;

  private WebhookServer(
      WebhookSettings settings,
      @Nullable CertificateSource inMemory,
      KubernetesClient client,
      InstantSource serverTime,
      Deque<Runnable> closers) {
    this.settings = settings;
    this.client = client;
    this.closers = closers;
    var prometheus = Metrics.registry("webhook");
    registry = prometheus;
    configurations = WebhookConfigurations.watch(client, settings.certificates().configurations());
    closers.push(configurations::close);
    certificates = certificates(inMemory);
    closers.push(certificates::close);
    known =
        new KnownInvalid(
            settings.guards(), settings.scope(), settings.knownInvalid().rewriteInterval());
    guards = Guard.byResource(settings.guards());
    refusingGuards = settings.guards().stream().filter(guard -> !guard.stampOnly()).toList();
    events = events();
    var store =
        new KnownInvalidStore(
            known, client, settings.knownInvalid(), settings.staleness(), serverTime, learned());
    closers.push(store::close);
    watches = new Watches(settings, client, known, store, CLOCK);
    closers.push(watches::close);
    if (settings.registration() != null) {
      var arming =
          new Arming(
              settings.registration(),
              client,
              configurations,
              refusingGuards,
              () -> certificates.current().validityProblem(CLOCK.instant()),
              watches::incompleteReason,
              registry);
      closers.push(arming::close);
    }
    Gauges.registerGuards(registry, settings.guards(), known, watches, configurations);

    var eventLoops = AdmissionRoutes.eventLoops();
    vertx = vertx(eventLoops);
    // Also closes the HTTPS port.
    closers.push(() -> vertx.close().await());
    var metrics = new AdmissionMetrics(registry);
    var handler =
        AdmissionRoutes.router(
            vertx, endpoints(metrics), metrics, () -> draining, AdmissionRoutes.bodyMemory());
    admission =
        AdmissionServer.start(
            vertx,
            settings.listen(),
            certificates,
            settings.clientAuthority(),
            AdmissionServer.Limits.of(settings.maxConnections(), settings.tls13Only()),
            handler,
            eventLoops);
    Gauge.builder("shipshape.webhook.ready", () -> notReadyReason().isEmpty() ? 1 : 0)
        .description("1 if this replica is ready.")
        .register(registry);
    Gauges.registerCertificate(registry, admission::servedCertificate);
    var address = settings.management();
    management =
        ManagementServer.start(address.host(), address.port(), this::notReadyReason, prometheus);
    closers.push(management::close);
    logger.info(
        "listening on port {} for the API server, on port {} for probes and metrics",
        admission.port(),
        management.port());
  }

  /**
   * Starts and returns as soon as both ports listen. If the API server cannot be reached or
   * refuses, the server stays up, not ready; it logs the problem and retries.
   *
   * @param client closed by the caller, after the server
   * @throws dev.shipshape.service.StartFailure if a port is in use
   */
  public static WebhookServer start(
      WebhookSettings settings, @Nullable CertificateSource inMemory, KubernetesClient client) {
    return start(settings, inMemory, client, () -> ServerClock.read(client));
  }

  /** Computes ages by the API server's clock. */
  static WebhookServer start(
      WebhookSettings settings,
      @Nullable CertificateSource inMemory,
      KubernetesClient client,
      InstantSource serverTime) {
    var closers = new ArrayDeque<Runnable>();
    try {
      return new WebhookServer(settings, inMemory, client, serverTime, closers);
    } catch (RuntimeException e) {
      close(closers);
      throw e;
    }
  }

  /** The name by which API servers call the replicas; empty without registration. */
  private String serviceName() {
    var registration = settings.registration();
    return registration == null
        ? ""
        : "%s.%s.svc".formatted(registration.service(), ApiConnection.namespace(client));
  }

  private CertificateSource certificates(@Nullable CertificateSource inMemory) {
    var certificates = settings.certificates();
    var source =
        switch (certificates.source()) {
          case IN_MEMORY -> Objects.requireNonNull(inMemory, "no certificate");
          case FILES -> {
            var folder = new CertificateFolder(certificates.folder(), serviceName(), CLOCK);
            closers.push(
                PeriodicTask.start("certificate files", CERTIFICATE_POLL_INTERVAL, folder::refresh)
                    ::close);
            yield folder;
          }
          case SELF_MANAGED ->
              SelfManagedCertificates.start(certificates, client, configurations, CLOCK);
        };
    if (inMemory == null) {
      configurations.register(registry, source, CLOCK);
    }
    return source;
  }

  /** Counts and reports configurations that this replica was the first to store as invalid. */
  private Consumer<KnownInvalidConfiguration> learned() {
    var counters =
        Counter.builder("shipshape.webhook.known.invalid.learned")
            .description("Configurations that became known invalid, by guard.")
            .withRegistry(registry);
    refusingGuards.forEach(guard -> counters.withTag("guard", guard.name()));
    return learned -> {
      counters.withTag("guard", learned.key().guard()).increment();
      events.forEach(each -> each.learned(learned));
    };
  }

  /** Empty if Events are disabled. */
  private List<GuardEvents> events() {
    if (!settings.events().enabled()) {
      return List.of();
    }
    var every = settings.events().every();
    var reporting = new GuardEvents(guards, client, every);
    closers.push(reporting::close);
    return List.of(reporting);
  }

  private List<AdmissionEndpoint> endpoints(AdmissionMetrics metrics) {
    var validate =
        new ValidationHandler(
            Guard.byResource(refusingGuards),
            known,
            watches::unavailableReason,
            new RollbackExemptions(known, watches::isRollingOut),
            settings.certificates().configurations() + "-override",
            settings.dryRunWarnings());
    var listeners = new ArrayList<BiConsumer<AdmissionRequest, Decision>>();
    events.forEach(each -> listeners.add(each::decided));
    listeners.add(this::countAttempt);
    var annotator = new HashAnnotator(guards, settings.stamp());
    var namespace = ApiConnection.namespace(client);
    return List.of(
        new AdmissionEndpoint(Endpoint.VALIDATE, validate::deny, metrics, listeners),
        new AdmissionEndpoint(Endpoint.VALIDATE_OVERRIDE, validate::override, metrics, listeners),
        new AdmissionEndpoint(Endpoint.AUDIT, validate::warn, metrics, listeners),
        new AdmissionEndpoint(Endpoint.MUTATE, annotator::decide, metrics, List.of()),
        new AdmissionEndpoint(
            Endpoint.PROOF, request -> Proof.respond(namespace, request), metrics, List.of()));
  }

  /** Counts writes that are refused, or would be; dry runs are not counted. */
  private void countAttempt(AdmissionRequest request, Decision decision) {
    var guard = guards.get(request.resource().toString());
    var hash = decision.audit().get(Decision.CONFIG_HASH);
    var isRefused = decision.reason() == Reason.KNOWN_INVALID;
    if (guard != null
        && hash != null
        && !request.dryRun()
        && (isRefused || decision.reason() == Reason.WOULD_BE_REFUSED)) {
      known.addAttempts(
          guard,
          request.namespace(),
          ConfigHash.parse(hash),
          // Its time is that of its storing. A forged name of megabytes would be held until then.
          new Attempts(
              isRefused ? 1 : 0,
              isRefused ? 0 : 1,
              Instant.EPOCH,
              LogLimiter.line(request.user())));
    }
  }

  public int port() {
    return admission.port();
  }

  public int managementPort() {
    return management.port();
  }

  /** Why the server is not ready; empty if it is. */
  public Optional<String> notReadyReason() {
    return draining
        ? Optional.of("shutting down")
        : certificates.notReadyReason().or(admission::notReadyReason).or(watches::notReadyReason);
  }

  /**
   * Shuts down without losing a call; returns when everything is closed. Not ready from now on, but
   * serves until the API server has seen that. Waits until the API server closes idle connections
   * itself (after 90 s): it does not retry a call into a connection that is being closed.
   */
  public void drain() {
    draining = true;
    logger.info("shutting down: not ready, serving for {} s more", settings.drain().toSeconds());
    pause(settings.drain());
    var end = System.nanoTime() + settings.drainConnections().toNanos();
    while (admission.connections() > 0 && System.nanoTime() < end) {
      pause(DRAIN_POLL_INTERVAL);
    }
    logger.info("closing, with {} connections open", admission.connections());
    admission.shutDown(LAST_RESPONSES_TIMEOUT).await();
    close();
  }

  private void pause(Duration time) {
    vertx.timer(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS).await();
  }

  @Override
  public void close() {
    close(closers);
  }

  private static void close(Deque<Runnable> closers) {
    while (!closers.isEmpty()) {
      try {
        closers.pop().run();
      } catch (Exception e) {
        // Close the other parts all the same. Vert.x throws checked exceptions undeclared.
        logger.warn("could not close a part", e);
      }
    }
  }

  private static Vertx vertx(int eventLoops) {
    var files =
        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
    return Vertx.vertx(
        new VertxOptions().setEventLoopPoolSize(eventLoops).setFileSystemOptions(files));
  }
}
