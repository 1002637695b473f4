package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ConnectionsTest {
  private static final String WATCH = "/api/v1/namespaces?watch=true&timeoutSeconds=1";

  /** Or all of them are lost with one connection that dies without a word, and what follows too. */
  @Test
  void eachWatchHasAConnectionOfItsOwn(ControlPlane cluster) throws Exception {
    var connections = new AtomicInteger();
    try (var relay = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var client =
            ApiConnection.open(
                cluster.kubeconfig(),
                null,
                config -> config.withMasterUrl("https://127.0.0.1:" + relay.getLocalPort()))) {
      Thread.startVirtualThread(() -> accept(relay, cluster.server().getPort(), connections));
      assertThat(client.namespaces().list().getItems()).isNotEmpty();

      Stream.of(WATCH, WATCH, WATCH)
          .map(watch -> CompletableFuture.runAsync(() -> client.raw(watch)))
          .toList()
          .forEach(CompletableFuture::join);

      assertThat(connections).hasValue(3);
    }
  }

  private static void accept(ServerSocket relay, int port, AtomicInteger connections) {
    try {
      while (true) {
        var from = relay.accept();
        var to = new Socket(InetAddress.getLoopbackAddress(), port);
        connections.incrementAndGet();
        Thread.startVirtualThread(() -> copy(from, to));
        Thread.startVirtualThread(() -> copy(to, from));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One side has closed it.
    }
  }
}
