package dev.shipshape.webhook;

import dev.shipshape.certs.ClientContext;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The HTTPS port alone, with deciders and limits of a test's own. */
final class TestingDoor implements AutoCloseable {
  static final ConnectionLimits USUAL = ConnectionLimits.of(ConnectionLimits.DEFAULT_MOST);

  private final Vertx vertx = Vertx.vertx();
  private final DecisionWorkers workers = new DecisionWorkers(2);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final String bundle;
  private final AdmissionServer server;

  TestingDoor(Decider validate, Decider mutate) {
    this(validate, mutate, USUAL, null, BodyRoom.ofHeap(), 2);
  }

  /** With one event loop, and limits to be reached soon. */
  TestingDoor(Decider validate, ConnectionLimits limits) {
    this(validate, validate, limits, null, BodyRoom.ofHeap(), 1);
  }

  TestingDoor(
      Decider validate,
      Decider mutate,
      ConnectionLimits limits,
      @Nullable ClientAuthority clients,
      BodyRoom room,
      int size) {
    var metrics = new AdmissionMetrics(registry);
    var entries =
        List.of(
            new AdmissionEntry(Entry.VALIDATE, Mode.ENFORCE, validate, metrics),
            new AdmissionEntry(Entry.MUTATE, Mode.ENFORCE, mutate, metrics));
    var certificates = TestingCertificates.forLoopback();
    var door = new AdmissionDoor(vertx, entries, metrics, workers, () -> false, room);
    var address = new WebhookSettings.Address("127.0.0.1", 0);
    bundle = certificates.current().bundle();
    server = AdmissionServer.start(vertx, address, certificates, clients, limits, door, size);
  }

  /** Decides as the webhook does, with one configuration known invalid: layer 2 network 6. */
  static Decider validating() {
    return new ValidationDecider(guards(), Scope.CLUSTER);
  }

  static Decider stamping() {
    return new Stamper(guards());
  }

  private static Guards guards() {
    var record = Reviews.record("worker-1", "-invalid", "{\"layer2\":[{\"id\":6}]}");
    return new TestingGuards().holding(record).guards();
  }

  static ConnectionLimits hasty(int most) {
    var soon = Duration.ofMillis(700);
    return new ConnectionLimits(most, soon, soon, soon.multipliedBy(2), soon.dividedBy(2));
  }

  /** Under which nobody is behind for the time of a test. */
  static ConnectionLimits patient(int most) {
    var usual = ConnectionLimits.of(most);
    return new ConnectionLimits(
        most, usual.head(), usual.body(), usual.idle(), Duration.ofMinutes(1));
  }

  int port() {
    return server.port();
  }

  /** The authority that clients are to trust. */
  String bundle() {
    return bundle;
  }

  SSLContext trust() {
    return ClientContext.trusting(bundle);
  }

  Caller caller() {
    return new Caller(trust(), port());
  }

  RawClient rawClient() throws Exception {
    return new RawClient(trust(), port());
  }

  /** One whose answers soon fill what there is for them, if it does not read them. */
  RawClient rawClientWithSmallBuffer() throws Exception {
    return new RawClient(trust(), port(), 4_096);
  }

  /** How many calls of the validating entry were refused for this reason. */
  double refusals(Refusal refusal) {
    return registry
        .get("shipshape.webhook.refusals")
        .tag("entry", "validate")
        .tag("reason", refusal.label())
        .counter()
        .count();
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    workers.close();
  }
}
