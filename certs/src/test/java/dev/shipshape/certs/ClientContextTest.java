package dev.shipshape.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

class ClientContextTest {
  private final Authority authority = authority("mine");
  private final KeyPair server =
      authority.issueServer(new ServerRequest("server", List.of("localhost"), Duration.ofDays(1)));

  @Test
  void bothSidesOfAHandshakeAreProved() throws Exception {
    var client = authority.issueClient("jane", List.of("admins"), Duration.ofDays(1));

    var seen =
        handshake(
            ClientContext.presenting(server, authority.certificate()),
            ClientContext.presenting(client, authority.certificate()));

    assertThat(seen).isEqualTo("CN=jane,O=admins");
  }

  @Test
  void aServerOfAnotherAuthorityIsNotTrusted() {
    var other = ClientContext.trusting(authority("another").certificate());

    assertThatThrownBy(
            () -> handshake(ClientContext.presenting(server, authority.certificate()), other))
        .isInstanceOf(SSLHandshakeException.class);
  }

  /** Connects the two and returns the name that the server saw in the client's certificate. */
  private static String handshake(SSLContext serverSide, SSLContext clientSide) throws Exception {
    try (var listening =
        (SSLServerSocket)
            serverSide
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      listening.setNeedClientAuth(true);
      var seen =
          CompletableFuture.supplyAsync(
              () -> {
                try (var socket = (SSLSocket) listening.accept()) {
                  socket.getOutputStream().write(1);
                  return socket.getSession().getPeerPrincipal().getName();
                } catch (IOException e) {
                  return e.toString();
                }
              });
      try (var socket =
          (SSLSocket)
              clientSide
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
        socket.startHandshake();
        assertThat(socket.getInputStream().read()).isEqualTo(1);
      }
      return seen.join();
    }
  }

  private static Authority authority(String name) {
    return Authority.create(name, Duration.ofDays(10), InstantSource.system());
  }
}
