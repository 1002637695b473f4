package dev.shipshape.webhook;

import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What does TLS: BoringSSL, where its native library is there for this machine. A handshake of the
 * JDK's own engine takes twenty times as long before it is compiled, and after a start all replicas
 * have is handshakes.
 */
final class TlsEngine {
  private static final Logger logger = LoggerFactory.getLogger(TlsEngine.class);

  private static final boolean NATIVE = isNative();

  private TlsEngine() {}

  /** The one for anybody's calls. */
  static SSLEngineOptions best() {
    return NATIVE ? new OpenSSLEngineOptions() : new JdkSSLEngineOptions();
  }

  /**
   * The one where clients show certificates: BoringSSL would go on naming the authorities of its
   * start as those that it takes, and a client that has another's would not show it.
   */
  static SSLEngineOptions forKnownClients() {
    return new JdkSSLEngineOptions();
  }

  private static boolean isNative() {
    var available = OpenSSLEngineOptions.isAvailable() && OpenSSLEngineOptions.isAlpnAvailable();
    logger.info(
        "TLS by {}", available ? "BoringSSL" : "the JDK: no native library for this machine");
    return available;
  }
}
