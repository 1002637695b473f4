package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionRoutes;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.mutation.HashAnnotator;
import dev.shipshape.webhook.server.AdmissionServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The HTTPS port alone, with handlers and limits of a test's own. */
final class TestingServer {
  static final AdmissionServer.Limits USUAL = AdmissionServer.Limits.of(1_000, false);

  private static final CertificateSource CERTIFICATES = TestingCertificates.forLoopback();
  private static final WebhookSettings.Address ADDRESS =
      new WebhookSettings.Address("127.0.0.1", 0);

  private final SimpleMeterRegistry registry;
  private final String bundle;
  private final AdmissionServer server;

  TestingServer(
      Vertx vertx,
      Function<AdmissionRequest, Decision> validate,
      Function<AdmissionRequest, Decision> mutate) {
    this(vertx, validate, mutate, USUAL, null, AdmissionRoutes.bodyMemory(), 2);
  }

  /** With one event loop, and limits to be reached soon. */
  TestingServer(
      Vertx vertx, Function<AdmissionRequest, Decision> validate, AdmissionServer.Limits limits) {
    this(vertx, validate, validate, limits, null, AdmissionRoutes.bodyMemory(), 1);
  }

  TestingServer(
      Vertx vertx,
      Function<AdmissionRequest, Decision> validate,
      Function<AdmissionRequest, Decision> mutate,
      AdmissionServer.Limits limits,
      @Nullable Path clientAuthority,
      int bodyMemory,
      int size) {
    registry = new SimpleMeterRegistry();
    var handler = router(vertx, registry, validate, mutate, bodyMemory);
    bundle = CERTIFICATES.current().bundle();
    server =
        AdmissionServer.start(vertx, ADDRESS, CERTIFICATES, clientAuthority, limits, handler, size);
  }

  /** With a handler of a test's own. */
  TestingServer(Vertx vertx, Handler<HttpServerRequest> handler) {
    registry = new SimpleMeterRegistry();
    bundle = CERTIFICATES.current().bundle();
    server = AdmissionServer.start(vertx, ADDRESS, CERTIFICATES, null, USUAL, handler, 1);
  }

  private static Handler<HttpServerRequest> router(
      Vertx vertx,
      SimpleMeterRegistry registry,
      Function<AdmissionRequest, Decision> validate,
      Function<AdmissionRequest, Decision> mutate,
      int bodyMemory) {
    var metrics = new AdmissionMetrics(registry);
    var endpoints =
        List.of(
            new AdmissionEndpoint(Endpoint.VALIDATE, validate, metrics, List.of()),
            new AdmissionEndpoint(Endpoint.MUTATE, mutate, metrics, List.of()));
    return AdmissionRoutes.router(vertx, endpoints, metrics, () -> false, bodyMemory);
  }

  /** Decides as the webhook does, with one configuration known invalid: layer 2 network 6. */
  static Function<AdmissionRequest, Decision> validating() {
    return testing().decider(Scope.CLUSTER)::deny;
  }

  static Function<AdmissionRequest, Decision> stamping() {
    return new HashAnnotator(testing().guards(), List.of())::decide;
  }

  private static TestingGuards testing() {
    var record = Reviews.record("worker-1", "-invalid", "{\"layer2\":[{\"id\":6}]}");
    return new TestingGuards().holding(record);
  }

  static AdmissionServer.Limits hasty(int most) {
    var soon = Duration.ofSeconds(1);
    return new AdmissionServer.Limits(most, soon, soon, false);
  }

  int port() {
    return server.port();
  }

  /** The authority that clients are to trust. */
  String bundle() {
    return bundle;
  }

  SSLContext trust() {
    return ClientContext.of(bundle, null);
  }

  Caller caller() {
    return new Caller(trust(), port());
  }

  RawClient rawClient() throws Exception {
    return new RawClient(trust(), port());
  }

  /** How many calls of the validating endpoint were refused for this reason. */
  double refusals(Reason reason) {
    return registry
        .get("shipshape.webhook.refusals")
        .tag("entry", "validate")
        .tag("reason", reason.name().toLowerCase(Locale.ROOT))
        .counter()
        .count();
  }
}
