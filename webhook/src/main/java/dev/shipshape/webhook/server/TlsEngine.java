package dev.shipshape.webhook.server;

import io.netty.handler.ssl.OpenSsl;
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

  private static boolean isNative() {
    if (OpenSSLEngineOptions.isAvailable() && OpenSSLEngineOptions.isAlpnAvailable()) {
      logger.info("TLS by BoringSSL");
      return true;
    }
    logger.warn(
        "TLS by the JDK, which is slow after a start: there is no BoringSSL for this machine",
        OpenSsl.unavailabilityCause());
    return false;
  }
}
