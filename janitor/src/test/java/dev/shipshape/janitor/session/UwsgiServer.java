package dev.shipshape.janitor.session;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/**
 * Answers as uWSGI does, in which CFS runs: without a Date header, and once on each connection,
 * which it closes without saying so.
 */
final class UwsgiServer implements AutoCloseable {
  private final ServerSocket socket;
  private final String response;

  private UwsgiServer(ServerSocket socket, String response) {
    this.socket = socket;
    this.response = response;
  }

  /**
   * Starts to listen.
   *
   * @param headers further ones of each response, each with its line's end
   */
  static UwsgiServer start(String headers, String body) throws IOException {
    var response =
        "HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s".formatted(headers, body.length(), body);
    var server =
        new UwsgiServer(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), response);
    Thread.ofVirtual().start(server::serve);
    return server;
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void serve() {
    try {
      while (true) {
        var connection = socket.accept();
        Thread.ofVirtual().start(() -> answer(connection));
      }
    } catch (IOException ignored) {
      // It is closed.
    }
  }

  private void answer(Socket connection) {
    try (connection;
        var in = new BufferedReader(new InputStreamReader(connection.getInputStream(), US_ASCII))) {
      while (!in.readLine().isEmpty()) {
        // A line of the request.
      }
      connection.getOutputStream().write(response.getBytes(US_ASCII));
      // The client takes the connection for open until it has sent the next request.
      var _ = in.read();
    } catch (IOException ignored) {
      // The client has gone.
    }
  }
}
