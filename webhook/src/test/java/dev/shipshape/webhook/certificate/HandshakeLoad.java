package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.ClientContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;

/**
 * New connections to two replicas, one after the other, by clients that trust what stands in a
 * webhook configuration at that moment. It notes how long each leaf took from the Secret to here.
 */
final class HandshakeLoad implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 10_000;

  private final TestNamespace namespace;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger count = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final Map<String, Instant> stored = new ConcurrentHashMap<>();
  private final Map<String, Instant> served = new ConcurrentHashMap<>();

  private HandshakeLoad(TestNamespace namespace) {
    this.namespace = namespace;
  }

  static HandshakeLoad start(TestNamespace namespace, int... ports) {
    var load = new HandshakeLoad(namespace);
    load.workers.execute(load::followSecret);
    for (var port : ports) {
      load.workers.execute(() -> load.run(port));
    }
    return load;
  }

  private void followSecret() {
    while (!workers.isShutdown()) {
      stored.putIfAbsent(namespace.stored().leaf(), Instant.now());
    }
  }

  private void run(int port) {
    while (!workers.isShutdown()) {
      var bundle = namespace.bundle();
      try {
        served.putIfAbsent(port + handshake(bundle, port), Instant.now());
      } catch (IOException e) {
        failures.add(e.toString());
      }
      count.incrementAndGet();
    }
  }

  /** Returns the leaf that was shown. */
  private static String handshake(String bundle, int port) throws IOException {
    try (var socket =
        (SSLSocket)
            ClientContext.of(bundle, null).getSocketFactory().createSocket("127.0.0.1", port)) {
      var parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.startHandshake();
      var leaf = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return leaf.getSerialNumber().toString(16);
    }
  }

  int count() {
    return count.get();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /** Port and serial number of each leaf that was shown. */
  Set<String> leaves() {
    return Set.copyOf(served.keySet());
  }

  /** The longest time from a leaf's being in the Secret to its being shown, over both replicas. */
  Duration slowest() {
    return stored.entrySet().stream()
        .flatMap(
            entry ->
                served.entrySet().stream()
                    .filter(shown -> shown.getKey().endsWith(serial(entry.getKey())))
                    .map(shown -> Duration.between(entry.getValue(), shown.getValue())))
        .max(Duration::compareTo)
        .orElseThrow();
  }

  private static String serial(String leaf) {
    try {
      var bytes = new ByteArrayInputStream(leaf.getBytes(StandardCharsets.UTF_8));
      var certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(bytes);
      return certificate.getSerialNumber().toString(16);
    } catch (CertificateException e) {
      throw new IllegalStateException("the Secret holds no certificate", e);
    }
  }

  @Override
  public void close() {
    workers.close();
  }
}
