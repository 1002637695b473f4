package dev.shipshape.webhook;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** One TLS connection on which a test writes whatever it likes. */
final class RawClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Socket wire;
  private final SSLSocket socket;

  RawClient(SSLContext tls, int port) throws IOException {
    this(tls, port, 0);
  }

  /**
   * With so small a buffer for what is not read that the server soon can send no more.
   *
   * @param buffer in bytes; 0 for the usual one
   */
  RawClient(SSLContext tls, int port, int buffer) throws IOException {
    wire = new Socket();
    if (buffer > 0) {
      wire.setReceiveBufferSize(buffer);
    }
    wire.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket = (SSLSocket) tls.getSocketFactory().createSocket(wire, "127.0.0.1", port, true);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.startHandshake();
  }

  /** A whole request to the validating entry. */
  static String request(String body) {
    return head(body.getBytes(StandardCharsets.UTF_8).length) + body;
  }

  static String head(int length) {
    return """
    POST /validate?timeout=10s HTTP/1.1\r
    Host: x\r
    Content-Type: application/json\r
    Content-Length: %d\r
    \r
    """
        .formatted(length);
  }

  RawClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.UTF_8));
  }

  RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** One answer, and leaves the connection open. */
  String answer() throws IOException {
    var read = new StringBuilder();
    while (!isComplete(read)) {
      var next = socket.getInputStream().read();
      if (next < 0) {
        break;
      }
      read.append((char) next);
    }
    return read.toString();
  }

  private static boolean isComplete(StringBuilder read) {
    var end = read.indexOf("\r\n\r\n");
    if (end < 0) {
      return false;
    }
    var head = read.substring(0, end).toLowerCase(Locale.ROOT);
    var at = head.indexOf("content-length: ");
    var length = at < 0 ? "0" : head.substring(at + 16).lines().findFirst().orElse("0").strip();
    return read.length() >= end + 4 + Integer.parseInt(length);
  }

  /** Whether the server, for so long, neither says anything nor closes the connection. */
  boolean isLeftOpenFor(Duration time) throws IOException {
    socket.setSoTimeout((int) time.toMillis());
    try {
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    } finally {
      socket.setSoTimeout((int) PATIENCE.toMillis());
    }
  }

  /** All that comes until the server closes the connection. */
  String untilClosed() {
    var read = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(read);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the connection was not closed", e);
    } catch (IOException e) {
      // Closed the hard way.
    }
    return read.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
