package dev.shipshape.sandbox;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The API server of a {@link ControlPlane}. It can be stopped and started again, on the same
 * address and with the same data, to see what a client makes of that.
 */
public final class ApiServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client;
  private final int port = FreePort.pick();
  private final Supplier<GuardedProcess> launch;
  private @Nullable GuardedProcess process;

  /**
   * One that does not run yet.
   *
   * @param client trusts the server
   */
  ApiServer(
      Programs programs,
      StateFolder folder,
      Certificates certificates,
      Etcd etcd,
      HttpClient client) {
    this.client = client;
    var flags = new ApiServerFlags(folder, certificates, etcd.address());
    launch =
        () ->
            GuardedProcess.start(
                flags.command(programs.path(Component.KUBE_APISERVER), port),
                folder.path(),
                Map.of(),
                folder.file("kube-apiserver.log"));
  }

  /** Where it listens, while it runs: {@code https://127.0.0.1:PORT}. */
  public URI address() {
    return URI.create("https://127.0.0.1:" + port);
  }

  /**
   * Starts it and waits until it is ready; does nothing where it runs.
   *
   * @throws SandboxException with the end of its log, when it does not become ready
   */
  public synchronized void start() {
    if (process == null) {
      var ready = new HealthCheck(client, address().resolve("/readyz"));
      process = launch.get().awaitReady(ready::succeeds, PATIENCE);
    }
  }

  /** Ends it, with all connections; does nothing where it does not run. */
  public synchronized void stop() {
    if (process != null) {
      process.close();
      process = null;
    }
  }

  @Override
  public void close() {
    stop();
  }
}
