package dev.shipshape.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports of 127.0.0.1, below the range for outgoing connections: in that range, a client
 * that tries to reach a stopped server could get the server's port as its own.
 */
final class FreePort {
  private static final int FIRST = 10_000;

  /** Exclusive. Linux uses ports from 32768 for outgoing connections, macOS from 49152. */
  private static final int END = 32_768;

  private FreePort() {}

  /** Picks at random, so that parallel starts do not collide. */
  static URI address() {
    for (var left = END - FIRST; left > 0; left--) {
      var port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (var _ = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
        return URI.create("https://127.0.0.1:" + port);
      } catch (IOException taken) {
        // Try another port.
      }
    }
    throw new SandboxException("found no free port on 127.0.0.1");
  }
}
