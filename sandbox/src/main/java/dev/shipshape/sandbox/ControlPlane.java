package dev.shipshape.sandbox;

import dev.shipshape.certs.Authority;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
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

  private final StateFolder folder;
  private final Certificates certificates;
  private final ApiServer apiServer;
  private final OpenParts parts;

  private ControlPlane(
      StateFolder folder, Certificates certificates, ApiServer apiServer, OpenParts parts) {
    this.folder = folder;
    this.certificates = certificates;
    this.apiServer = apiServer;
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
    var parts = new OpenParts();
    parts.add(folder::remove);
    try {
      return start(programs, folder, progress, parts);
    } catch (RuntimeException | Error e) {
      parts.close();
      throw e;
    }
  }

  private static ControlPlane start(
      Programs programs, StateFolder folder, Consumer<String> progress, OpenParts parts) {
    var certificates = new Certificates(folder);
    var admin = parts.add(certificates.adminClient());

    progress.accept("starting etcd");
    var etcd = Etcd.start(programs, folder, certificates);
    parts.add(etcd.process());

    progress.accept("starting the API server");
    var server = ApiServer.start(programs, folder, certificates, etcd, admin);
    parts.add(server.process());
    var kubeconfig = folder.write("kubeconfig", certificates.adminKubeconfig(server.address()));

    progress.accept("starting the controllers");
    parts.add(ControllerManager.start(programs, folder, certificates, kubeconfig, server, admin));

    progress.accept("the control plane is ready at " + server.address());
    return new ControlPlane(folder, certificates, server, parts);
  }

  /** The address of the API server: {@code https://127.0.0.1:PORT}. */
  public URI server() {
    return apiServer.address();
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
    return folder.file(ApiServer.AUDIT_LOG);
  }

  /** The folder with state and logs. */
  public Path state() {
    return folder.path();
  }

  /** Stops all programs; does nothing if called again. */
  @Override
  public void close() {
    parts.close();
  }
}
