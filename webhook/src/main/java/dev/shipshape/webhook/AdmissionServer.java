package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.service.Listening;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTPS port: as many listeners as event loops, and a certificate that follows its source. */
final class AdmissionServer {
  /** How soon a new certificate is served, and clients are checked by a new authority. */
  private static final long POLL_MILLIS = 1_000;

  private static final long SWEEP_MILLIS = 500;

  private static final Logger logger = LoggerFactory.getLogger(AdmissionServer.class);

  private static final AtomicInteger SERVERS = new AtomicInteger();

  private final List<HttpServer> listeners;
  private final Connections connections;
  private final CertificateSource certificates;
  private final @Nullable ClientAuthority clients;
  private final AtomicLong reloads = new AtomicLong();
  private final AtomicLong reloadFailures = new AtomicLong();
  private volatile ServingCertificate served;
  private volatile boolean standsIn;

  private AdmissionServer(
      List<HttpServer> listeners,
      Connections connections,
      CertificateSource certificates,
      @Nullable ClientAuthority clients,
      ServingCertificate served) {
    this.listeners = List.copyOf(listeners);
    this.connections = connections;
    this.certificates = certificates;
    this.clients = clients;
    this.served = served;
    // In this order: what has come since then is not what is served.
    this.standsIn = certificates.missing().isPresent() || !certificates.current().equals(served);
  }

  /**
   * For anybody, with the usual limits.
   *
   * @throws dev.shipshape.service.StartFailure where the port is taken
   */
  static AdmissionServer start(
      Vertx vertx,
      WebhookSettings.Address address,
      CertificateSource certificates,
      AdmissionDoor door,
      int size) {
    var limits = ConnectionLimits.of(ConnectionLimits.DEFAULT_MOST);
    return start(vertx, address, certificates, null, limits, door, size);
  }

  /**
   * Listens and returns.
   *
   * @param clients who may call; null for anybody
   * @param size how many listeners, each on an event loop of its own
   * @throws dev.shipshape.service.StartFailure where the port is taken
   */
  static AdmissionServer start(
      Vertx vertx,
      WebhookSettings.Address address,
      CertificateSource certificates,
      @Nullable ClientAuthority clients,
      ConnectionLimits limits,
      AdmissionDoor door,
      int size) {
    var served = certificates.current();
    var tls = AdmissionListener.secure(served, clients);
    var connections = new Connections(limits, clients);
    var portNumber = SERVERS.incrementAndGet();
    var listeners = new ArrayList<HttpServer>();
    for (var count = 0; count < size; count++) {
      listeners.add(
          listen(
              vertx, address, new AdmissionListener(door, address, portNumber, tls, connections)));
    }
    var server = new AdmissionServer(listeners, connections, certificates, clients, served);
    vertx.setPeriodic(SWEEP_MILLIS, tick -> connections.closeOverdue());
    vertx.setPeriodic(POLL_MILLIS, tick -> server.follow(vertx));
    return server;
  }

  int port() {
    return listeners.getFirst().actualPort();
  }

  /** How many connections are open. */
  int connections() {
    return connections.count();
  }

  /** What clients are shown now. */
  ServingCertificate served() {
    return served;
  }

  /** Why no API server can trust what is served; empty where it can. */
  Optional<String> missing() {
    return standsIn ? Optional.of("the certificate is not served yet") : Optional.empty();
  }

  /** How often another certificate was taken over. */
  long reloads() {
    return reloads.get();
  }

  /** How often that failed. */
  long reloadFailures() {
    return reloadFailures.get();
  }

  /**
   * Takes no more connections, closes those that are idle, and the others with their answers.
   *
   * @param patience with answers that do not come
   */
  Future<?> shutDown(Duration patience) {
    return Future.join(listeners.stream().<Future<?>>map(one -> one.shutdown(patience)).toList());
  }

  private static HttpServer listen(
      Vertx vertx, WebhookSettings.Address address, AdmissionListener listener) {
    var deployed =
        vertx.deployVerticle(
            listener, new DeploymentOptions().setThreadingModel(ThreadingModel.EVENT_LOOP));
    return Listening.await(
        deployed.map(id -> listener.server()),
        "admission calls (listen.port)",
        address.host(),
        address.port());
  }

  private void follow(Vertx vertx) {
    Callable<ServingCertificate> read =
        () -> {
          if (clients != null) {
            clients.reload();
          }
          return certificates.current();
        };
    vertx
        .executeBlocking(read)
        .compose(this::serve)
        .onFailure(
            failure -> {
              reloadFailures.incrementAndGet();
              logger.warn(
                  "could not take over a new certificate, the old one goes on: {}",
                  failure.getMessage());
            });
  }

  private Future<?> serve(ServingCertificate certificate) {
    if (certificate.equals(served)) {
      return Future.succeededFuture();
    }
    var options = AdmissionListener.secure(certificate, clients);
    return Future.all(
            listeners.stream().<Future<?>>map(one -> one.updateSSLOptions(options)).toList())
        .onSuccess(
            done -> {
              served = certificate;
              standsIn = false;
              reloads.incrementAndGet();
              logger.info(
                  "serving a new certificate, valid until {}", certificate.pair().notAfter());
            });
  }
}
