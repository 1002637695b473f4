package dev.shipshape.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/**
 * Starts a server on a port of 127.0.0.1 that nobody uses.
 *
 * <p>Between finding a free port and the program taking it, another process can be faster, so a
 * start that failed for that reason is repeated elsewhere. Ports are picked at random, which keeps
 * parallel starts apart, and below the range that systems hand out for outgoing connections: there,
 * a client that keeps trying to reach a stopped server could take the server's port for itself.
 */
final class FreePort {
  private static final int FIRST = 10_000;

  /** Linux hands out ports from 32768 for outgoing connections, macOS from 49152. */
  private static final int END = 32_768;

  private static final int STARTS = 5;
  private static final int CANDIDATES = 1_000;

  private FreePort() {}

  /**
   * Starts a server.
   *
   * @param start gets a port; throws {@link ProgramDiedException} when it could not be used
   */
  static <T> T start(IntFunction<T> start) {
    for (var left = STARTS; ; left--) {
      try {
        return start.apply(pick());
      } catch (ProgramDiedException e) {
        if (!e.portTaken() || left == 1) {
          throw e;
        }
      }
    }
  }

  static int pick() {
    for (var left = CANDIDATES; left > 0; left--) {
      var port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (isFree(port)) {
        return port;
      }
    }
    throw new SandboxException(
        "found no free port between %d and %d on 127.0.0.1".formatted(FIRST, END - 1));
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
