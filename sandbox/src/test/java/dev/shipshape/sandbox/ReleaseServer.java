package dev.shipshape.sandbox;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves one small archive, as a release host would. */
final class ReleaseServer implements AutoCloseable {
  private static final String PATH = "/v0.0.1/etcd-v0.0.1.tar.gz";

  private final AtomicInteger requests = new AtomicInteger();
  private final HttpServer server;
  private final byte[] archive;

  private ReleaseServer(HttpServer server, byte[] archive) {
    this.server = server;
    this.archive = archive;
  }

  /**
   * Starts one.
   *
   * @param folder where the archive may be packed
   * @param etcd the text of the script that it holds as etcd
   * @param promised how many bytes more it announces than it sends
   */
  static ReleaseServer start(Path folder, String etcd, int promised) throws Exception {
    var content = Files.createDirectories(folder.resolve("etcd-v0.0.1"));
    Files.writeString(content.resolve("etcd"), etcd);
    Files.writeString(content.resolve("README.md"), "not a program");
    var packed = folder.resolve("packed.tar.gz");
    var tar = List.of("tar", "-C", folder.toString(), "-czf", packed.toString(), "etcd-v0.0.1");
    if (new ProcessBuilder(tar).inheritIO().start().waitFor() != 0) {
      throw new IOException("tar failed");
    }
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var server = new ReleaseServer(HttpServer.create(address, 0), Files.readAllBytes(packed));
    server.serve(promised);
    return server;
  }

  private void serve(int promised) {
    server.createContext(
        PATH,
        exchange -> {
          requests.incrementAndGet();
          exchange.sendResponseHeaders(200, archive.length + promised);
          exchange.getResponseBody().write(archive);
          exchange.close();
        });
    server.start();
  }

  /** A source that takes etcd from here. */
  Release release() throws Exception {
    return release(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive)));
  }

  Release release(String checksum) {
    var base = "http://127.0.0.1:" + server.getAddress().getPort();
    var archives =
        List.of(
            new ReleaseArchive(
                URI.create(base + PATH), "SHA-256", checksum, "etcd-v0.0.1", Set.of(Program.ETCD)));
    return new Release("0.0.1", () -> archives);
  }

  int requests() {
    return requests.get();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
