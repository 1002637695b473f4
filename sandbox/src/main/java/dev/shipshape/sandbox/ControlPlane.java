package dev.shipshape.sandbox;

import dev.shipshape.certs.Authority;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/**
 * A Kubernetes control plane on this machine: etcd, kube-apiserver and kube-controller-manager, on
 * free ports of 127.0.0.1, with RBAC and an audit log. There are no nodes, so no pod ever runs.
 *
 * <p>Several can run at the same time. Their processes end with this Java process, even after
 * SIGKILL.
 */
public final class ControlPlane implements AutoCloseable {
  /** The common name in the client certificate that the API server presents to webhooks. */
  public static final String WEBHOOK_CALLER = "kube-apiserver-webhook-client";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);

  /**
   * As installers set it, so that bookmarks of a watch advance with writes to other kinds. An
   * environment variable, because a later etcd without this option ignores it.
   */
  private static final Map<String, String> ETCD_PROGRESS =
      Map.of("ETCD_EXPERIMENTAL_WATCH_PROGRESS_NOTIFY_INTERVAL", "5s");

  private final StateFolder folder;
  private final Certificates certificates;
  private final URI server;

  /** What ends each part that was started, the last first. */
  private final Deque<Runnable> parts;

  private ControlPlane(
      StateFolder folder, Certificates certificates, URI server, Deque<Runnable> parts) {
    this.folder = folder;
    this.certificates = certificates;
    this.server = server;
    this.parts = parts;
  }

  /** Starts a control plane with the programs of {@link Programs#find}; logs each step. */
  public static ControlPlane start() {
    Consumer<String> log = LoggerFactory.getLogger(ControlPlane.class)::info;
    return start(Programs.find(System.getenv(), log), log);
  }

  /**
   * Starts a control plane. {@link #close} removes its state.
   *
   * @param progress called for each step with a text such as {@code starting etcd}
   * @throws SandboxException with the program that did not start, and the end of its log
   */
  public static ControlPlane start(Programs programs, Consumer<String> progress) {
    var folder = StateFolder.temporary();
    // The folder comes last, because only its removal can fail.
    var parts = new ArrayDeque<Runnable>(List.of(folder::remove));
    try {
      return start(programs, folder, progress, parts);
    } catch (RuntimeException | Error e) {
      end(parts);
      throw e;
    }
  }

  private static ControlPlane start(
      Programs programs, StateFolder folder, Consumer<String> progress, Deque<Runnable> parts) {
    var certificates = new Certificates(folder);
    var admin = certificates.adminClient();
    parts.push(admin::close);
    var etcd = FreePort.address();
    var server = FreePort.address();
    UnaryOperator<String> filled =
        text ->
            text.replace("ETCD", etcd.toString())
                .replace("SERVER", server.toString())
                .replace("PORT", Integer.toString(server.getPort()))
                .replace("FOLDER", folder.path().toString());
    folder.write("kubeconfig", certificates.adminKubeconfig(server));
    for (var file : List.of("admission.yaml", "webhook-caller.yaml", "audit-policy.yaml")) {
      folder.write(file, filled.apply(Resource.text(file)));
    }
    for (var program : Programs.NAMES) {
      progress.accept("starting " + program);
      // What answers with 200 when the program is ready; then its arguments.
      var lines = filled.apply(Resource.text(program + ".txt")).lines().toList();
      var command = new ArrayList<>(List.of(programs.path(program)));
      lines.stream().filter(line -> line.startsWith("--")).forEach(command::add);
      var log = folder.file(program + ".log");
      var process = GuardedProcess.start(command, folder.path(), ETCD_PROGRESS, log);
      parts.push(process::close);
      process.awaitReady(() -> isHealthy(admin, URI.create(lines.getFirst())), TIMEOUT);
    }
    progress.accept("the control plane is ready at " + server);
    return new ControlPlane(folder, certificates, server, parts);
  }

  /**
   * Whether a GET is answered with 200. The client trusts only this control plane, not another one
   * on the same port.
   */
  private static boolean isHealthy(HttpClient client, URI address) {
    var request = HttpRequest.newBuilder(address).timeout(PROBE_TIMEOUT).build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException e) {
      throw new SandboxException("interrupted while asking " + address, e);
    }
  }

  /** The address of the API server: {@code https://127.0.0.1:PORT}. */
  public URI server() {
    return server;
  }

  /** The authority of the API server's certificate and of its clients' certificates. */
  public Authority authority() {
    return certificates.authority();
  }

  /** The file with the administrator's kubeconfig. */
  public Path kubeconfig() {
    return folder.file("kubeconfig");
  }

  public String adminKubeconfig() {
    return certificates.adminKubeconfig(server());
  }

  /**
   * Returns the text of a kubeconfig for a user, with the rights that RBAC gives to name and
   * groups.
   *
   * @param groups the API server adds {@code system:authenticated}
   */
  public String kubeconfigFor(String user, List<String> groups) {
    return Kubeconfig.text(
        server(), authority().certificate(), certificates.issueClient(user, groups));
  }

  /**
   * Returns the text of a kubeconfig for a user with the name, groups and so the rights of a
   * service account, even if that does not exist.
   */
  public String kubeconfigForServiceAccount(String namespace, String name) {
    return kubeconfigFor(
        "system:serviceaccount:%s:%s".formatted(namespace, name),
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace));
  }

  /** Returns an HTTP client for an administrator; the caller closes it. */
  public HttpClient adminHttpClient() {
    return certificates.adminClient();
  }

  /** Returns an HTTP client for a user of {@link #kubeconfigFor}; the caller closes it. */
  public HttpClient httpClientFor(String user, List<String> groups) {
    return certificates.httpClient(user, groups);
  }

  /** The audit log, one JSON event a line: writes with bodies, reads with metadata only. */
  public Path auditLog() {
    return folder.file("audit.log");
  }

  /** The folder with state and logs. */
  public Path state() {
    return folder.path();
  }

  /** Stops all programs; does nothing if called again. */
  @Override
  public synchronized void close() {
    end(parts);
  }

  private static void end(Deque<Runnable> parts) {
    while (!parts.isEmpty()) {
      parts.pop().run();
    }
  }
}
