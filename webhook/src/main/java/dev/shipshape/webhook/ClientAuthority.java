package dev.shipshape.webhook;

import dev.shipshape.service.StartFailure;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may call: clients with a certificate of one authority and, where names are given, with one of
 * these names. The authority's file is read again by its content. A handshake checks the authority;
 * every connection is checked besides, since a resumed one brings the certificate of an earlier
 * handshake, and again when the authority has changed.
 */
final class ClientAuthority {
  private static final Logger logger = LoggerFactory.getLogger(ClientAuthority.class);

  /** A connection may outlive its client's certificate by this. */
  private static final long OPINION_NANOS = Duration.ofMinutes(10).toNanos();

  /**
   * What is thought of a connection.
   *
   * @param objection null where it may call
   */
  record Opinion(ClientTrust by, long at, @Nullable String objection) {}

  private final WebhookSettings.Clients settings;
  private volatile ClientTrust trust;
  private String lastProblem = "";

  private ClientAuthority(WebhookSettings.Clients settings, ClientTrust trust) {
    this.settings = settings;
    this.trust = trust;
  }

  /**
   * Reads the authority.
   *
   * @throws StartFailure where the file cannot be read or holds no certificates
   */
  static ClientAuthority load(WebhookSettings.Clients settings) {
    try {
      return new ClientAuthority(settings, ClientTrust.of(Files.readString(settings.file())));
    } catch (IOException | GeneralSecurityException e) {
      throw new StartFailure(
          "could not read the clients' authority (clientAuthority.file): " + e, e);
    }
  }

  /** For handshakes, always by the newest authority. */
  TrustOptions handshakes() {
    return TrustOptions.wrap(new FollowingTrust(() -> trust.manager()));
  }

  /** Takes over the file's content where it has changed; otherwise the old one goes on. */
  void reload() {
    try {
      var text = Files.readString(settings.file());
      if (!text.equals(trust.text())) {
        trust = ClientTrust.of(text);
        logger.info("clients are checked by a new authority, from {}", settings.file());
      }
      lastProblem = "";
    } catch (IOException | GeneralSecurityException e) {
      if (!lastProblem.equals(e.toString())) {
        lastProblem = e.toString();
        logger.warn(
            "could not take over a new clients' authority, the old one goes on: {}", lastProblem);
      }
    }
  }

  /**
   * What is thought of a connection now.
   *
   * @param before what was thought of it before; null for nothing
   */
  Opinion opinionOf(HttpConnection connection, @Nullable Opinion before) {
    var now = System.nanoTime();
    var by = trust;
    if (before != null && before.by().equals(by) && now - before.at() < OPINION_NANOS) {
      return before;
    }
    var objection = objection(by, connection);
    if (objection != null) {
      logger.info("turning away {}: {}", connection.remoteAddress(), objection);
    }
    return new Opinion(by, now, objection);
  }

  private @Nullable String objection(ClientTrust by, HttpConnection connection) {
    try {
      var chain =
          connection.peerCertificates().stream()
              .map(X509Certificate.class::cast)
              .toArray(X509Certificate[]::new);
      by.check(chain);
      return objection(settings.names(), chain[0]);
    } catch (SSLPeerUnverifiedException e) {
      return "a client certificate is needed";
    } catch (GeneralSecurityException e) {
      return "the client certificate is not accepted: " + e.getMessage();
    }
  }

  private static @Nullable String objection(Set<String> names, X509Certificate certificate)
      throws GeneralSecurityException {
    var own = CertificateNames.of(certificate);
    return names.isEmpty() || own.stream().anyMatch(names::contains)
        ? null
        : "the client certificate is for %s, which clientAuthority.names does not list"
            .formatted(own);
  }
}
