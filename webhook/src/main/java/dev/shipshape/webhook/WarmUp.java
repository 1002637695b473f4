package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.index.GuardIndex;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConfig;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the handler over TLS before the API server does, so that the first real calls find it
 * compiled, and so that a server is not ready whose certificate or handler does not work. The calls
 * go to a listener of its own on the loopback address, with the same code and settings but without
 * the check of client certificates, what is known invalid, or the metrics: they are no admissions.
 */
final class WarmUp implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(WarmUp.class);

  private static final int CONNECTIONS = 4;
  private static final int CALLS_A_ROUND = 60;
  private static final int ROUNDS_WITHOUT_GAIN = 3;
  private static final double GAIN = 0.9;
  private static final long RETRY_MILLIS = 1_000;
  private static final long CLOSE_MILLIS = 2_000;

  private record Call(String path, Buffer review) {}

  private final Vertx vertx;
  private final CertificateSource certificates;
  private final Duration longest;
  private final List<Call> calls;
  private final AdmissionDoor door;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private volatile Optional<String> missing = Optional.of("warming up");

  private WarmUp(
      Vertx vertx,
      WebhookSettings settings,
      CertificateSource certificates,
      DecisionWorkers workers) {
    this.vertx = vertx;
    this.certificates = certificates;
    this.longest = settings.warmUp();
    this.calls = settings.guards().stream().flatMap(guard -> calls(guard).stream()).toList();
    this.door = door(vertx, settings, workers);
    this.thread = Thread.ofPlatform().name("warm-up").daemon(true).unstarted(this::run);
  }

  /** Begins, and returns at once. */
  static WarmUp begin(
      Vertx vertx,
      WebhookSettings settings,
      CertificateSource certificates,
      DecisionWorkers workers) {
    var warmUp = new WarmUp(vertx, settings, certificates, workers);
    if (settings.warmUp().isZero()) {
      warmUp.missing = Optional.empty();
    } else {
      warmUp.thread.start();
    }
    return warmUp;
  }

  /** Why the server should get no calls yet. */
  Optional<String> missing() {
    return missing;
  }

  private static AdmissionDoor door(
      Vertx vertx, WebhookSettings settings, DecisionWorkers workers) {
    var guards = new Guards(settings.guards().stream().map(GuardIndex::ofNothing).toList());
    var metrics = new AdmissionMetrics(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    var mode = settings.mode();
    var validate =
        new Enforcement(new ValidationDecider(guards, settings.scope()), settings.exempt(), mode);
    var entries =
        List.of(
            new AdmissionEntry(Entry.VALIDATE, mode, validate, metrics),
            new AdmissionEntry(Entry.MUTATE, mode, new Stamper(guards), metrics));
    return new AdmissionDoor(vertx, entries, metrics, workers, () -> false);
  }

  private static List<Call> calls(Guard guard) {
    var creation = WarmUpReview.creation(guard.resource());
    return List.of(
        new Call(Entry.VALIDATE.path(), Buffer.buffer(creation)),
        new Call(Entry.MUTATE.path(), Buffer.buffer(creation)),
        new Call(Entry.VALIDATE.path(), Buffer.buffer(WarmUpReview.update(guard.resource()))));
  }

  private void run() {
    try {
      var port = listen();
      while (!warm(port)) {
        if (closed.await(RETRY_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      logger.error("could not warm up", e);
      missing = Optional.of("could not warm up: " + e.getMessage());
    }
  }

  private int listen() {
    var limits = ConnectionLimits.of(ConnectionLimits.DEFAULT_MOST);
    var loopback = new WebhookSettings.Address("127.0.0.1", 0);
    var server = AdmissionServer.start(vertx, loopback, certificates, null, limits, door, 1);
    return server.port();
  }

  /** Whether the handler answers; if so, it is warm, or as warm as the time allows. */
  private boolean warm(int port) {
    var began = System.nanoTime();
    var best = Long.MAX_VALUE;
    var rounds = 0;
    try {
      for (var withoutGain = 0; withoutGain < ROUNDS_WITHOUT_GAIN; ) {
        var took = round(port);
        rounds++;
        withoutGain = took < best * GAIN ? 0 : withoutGain + 1;
        best = Math.min(best, took);
        if (System.nanoTime() - began > longest.toNanos() || closed.getCount() == 0) {
          break;
        }
      }
    } catch (CompletionException e) {
      missing = Optional.of("could not call its own handler: " + e.getCause());
      logger.warn(
          "could not call the own handler over TLS, will try again: {}",
          String.valueOf(e.getCause()));
      return false;
    }
    missing = Optional.empty();
    logger.info(
        "warm after {} calls in {} ms",
        rounds * CALLS_A_ROUND,
        Duration.ofNanos(System.nanoTime() - began).toMillis());
    return true;
  }

  /** Calls so many times over new connections; returns the nanoseconds that they took. */
  private long round(int port) {
    var began = System.nanoTime();
    var client = client();
    try {
      for (var count = 0; count < CALLS_A_ROUND; count += CONNECTIONS) {
        var answers = new ArrayList<Future<?>>();
        for (var one = count; one < count + CONNECTIONS; one++) {
          answers.add(call(client, port, calls.get(one % calls.size())));
        }
        Future.all(answers).toCompletionStage().toCompletableFuture().join();
      }
      return System.nanoTime() - began;
    } finally {
      client.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  private HttpClientAgent client() {
    var trust = new PemTrustOptions().addCertValue(Buffer.buffer(certificates.current().bundle()));
    var options =
        new ClientSSLOptions()
            // The certificate is for the Service's name, not for the loopback address.
            .setHostnameVerificationAlgorithm("")
            .setTrustOptions(trust);
    return vertx
        .httpClientBuilder()
        .with(new HttpClientConfig().setSsl(true))
        .with(options)
        .with(TlsEngine.best())
        .build();
  }

  private static Future<?> call(HttpClientAgent client, int port, Call call) {
    return client
        .request(HttpMethod.POST, port, "127.0.0.1", call.path() + "?timeout=10s")
        .compose(
            request -> request.putHeader("Content-Type", "application/json").send(call.review()))
        .compose(
            response ->
                response.statusCode() == 200
                    ? response.body()
                    : Future.failedFuture("answered with " + response.statusCode()));
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
