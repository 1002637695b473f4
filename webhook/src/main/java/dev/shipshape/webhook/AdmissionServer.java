package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.service.Listening;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTPS port: as many listeners as event loops, and a certificate that follows its source. */
final class AdmissionServer {
  /** How soon a new certificate is served. */
  private static final long CERTIFICATE_POLL_MILLIS = 1_000;

  private static final Logger logger = LoggerFactory.getLogger(AdmissionServer.class);

  private final List<HttpServer> listeners;
  private final CertificateSource certificates;
  private final AtomicLong reloads = new AtomicLong();
  private final AtomicLong reloadFailures = new AtomicLong();
  private volatile ServingCertificate served;

  private AdmissionServer(
      List<HttpServer> listeners, CertificateSource certificates, ServingCertificate served) {
    this.listeners = List.copyOf(listeners);
    this.certificates = certificates;
    this.served = served;
  }

  /**
   * Listens and returns.
   *
   * @throws dev.shipshape.service.StartFailure where the port is taken
   */
  static AdmissionServer start(
      Vertx vertx,
      WebhookSettings.Address address,
      CertificateSource certificates,
      AdmissionDoor door,
      int size) {
    var served = certificates.current();
    var listeners = new ArrayList<HttpServer>();
    for (var count = 0; count < size; count++) {
      listeners.add(listen(vertx, address, served, door));
    }
    var server = new AdmissionServer(listeners, certificates, served);
    vertx.setPeriodic(CERTIFICATE_POLL_MILLIS, tick -> server.followCertificate(vertx));
    return server;
  }

  int port() {
    return listeners.getFirst().actualPort();
  }

  /** What clients are shown now. */
  ServingCertificate served() {
    return served;
  }

  /** How often another certificate was taken over. */
  long reloads() {
    return reloads.get();
  }

  /** How often that failed. */
  long reloadFailures() {
    return reloadFailures.get();
  }

  private static HttpServer listen(
      Vertx vertx,
      WebhookSettings.Address address,
      ServingCertificate certificate,
      AdmissionDoor door) {
    var listener = new AdmissionListener(door, address, certificate);
    var deployed =
        vertx.deployVerticle(
            listener, new DeploymentOptions().setThreadingModel(ThreadingModel.EVENT_LOOP));
    return Listening.await(
        deployed.map(id -> listener.server()),
        "admission calls (listen.port)",
        address.host(),
        address.port());
  }

  private void followCertificate(Vertx vertx) {
    Callable<ServingCertificate> read = certificates::current;
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
    var options = AdmissionListener.secure(certificate);
    return Future.all(
            listeners.stream().<Future<?>>map(one -> one.updateSSLOptions(options)).toList())
        .onSuccess(
            done -> {
              served = certificate;
              reloads.incrementAndGet();
              logger.info(
                  "serving a new certificate, valid until {}", certificate.pair().notAfter());
            });
  }
}
