package dev.shipshape.webhook.server;

import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.config.WebhookSettings;
import io.vertx.core.http.HttpConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Who may call: clients with a certificate of one authority, which the handshake checks, and, if
 * names are given, with one of these names, which is checked when the handshake is over. A new
 * authority ends the connections that are open.
 */
public final class ClientCertificates {
  private final WebhookSettings.Clients settings;

  private ClientCertificates(WebhookSettings.Clients settings) {
    this.settings = settings;
  }

  /**
   * Reads the authority for the first time.
   *
   * @throws StartFailure where the file cannot be read
   */
  public static ClientCertificates load(WebhookSettings.Clients settings) {
    var clients = new ClientCertificates(settings);
    try {
      var ignored = clients.authority();
    } catch (UncheckedIOException e) {
      throw new StartFailure(
          "could not read the clients' authority (clientAuthority.file): " + e.getCause(), e);
    }
    return clients;
  }

  /** The authority's certificates as they are now, PEM. */
  String authority() {
    try {
      return Files.readString(settings.file());
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + settings.file(), e);
    }
  }

  /** Why the client of this connection may not call; empty if it may. */
  Optional<String> objectionTo(HttpConnection connection) {
    if (settings.names().isEmpty()) {
      return Optional.empty();
    }
    try {
      var names = CertificateNames.of((X509Certificate) connection.peerCertificates().getFirst());
      return names.stream().anyMatch(settings.names()::contains)
          ? Optional.empty()
          : Optional.of(
              "the client certificate is for %s, which clientAuthority.names does not list"
                  .formatted(names));
    } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
      return Optional.of("the client certificate cannot be read: " + e.getMessage());
    }
  }
}
