package dev.shipshape.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of 127.0.0.1 that nobody uses. They lie below the range that systems hand out for outgoing
 * connections: there, a client that keeps trying to reach a stopped server could take the server's
 * port for itself.
 */
final class FreePort {
  private static final int FIRST = 10_000;

  /** Linux hands out ports from 32768 for outgoing connections, macOS from 49152. */
  private static final int END = 32_768;

  private FreePort() {}

  /** At random, which keeps parallel starts apart. */
  static int pick() {
    for (var left = END - FIRST; left > 0; left--) {
      var port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (var _ = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
        return port;
      } catch (IOException taken) {
        // Another one, then.
      }
    }
    throw new SandboxException("found no free port on 127.0.0.1");
  }
}
