package dev.shipshape.sandbox;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves one small archive, as a release host would. */
final class ReleaseServer implements AutoCloseable {
  private static final String PATH = "/release.tar.gz";

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
   * @param programs the folder of the programs that it holds
   * @param promised how many bytes more it announces than it sends
   */
  static ReleaseServer start(Path folder, Path programs, int promised) throws Exception {
    var packed = folder.resolve("packed.tar.gz");
    var names = "s,^[.],release/bin,";
    var tar =
        List.of("tar", "-C", "" + programs, "--transform", names, "-czf", packed.toString(), ".");
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

  /** As the script takes it: an archive with all programs. */
  String release() throws Exception {
    return release(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive)));
  }

  String release(String checksum) {
    return "http://127.0.0.1:%d%s %s release/bin etcd kube-apiserver kube-controller-manager"
        .formatted(server.getAddress().getPort(), PATH, checksum);
  }

  int requests() {
    return requests.get();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
