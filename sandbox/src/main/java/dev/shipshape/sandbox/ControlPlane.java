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
 * <p>Any number run side by side. None outlives this Java process, however that ends.
 */
public final class ControlPlane implements AutoCloseable {
  /** The name in the certificate that the API server shows to webhooks. */
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

  /** Starts one with the programs that are found or got; the log tells each step. */
  public static ControlPlane start() {
    Consumer<String> log = LoggerFactory.getLogger(ControlPlane.class)::info;
    return start(Programs.find(System.getenv(), log), log);
  }

  /**
   * Starts a control plane whose state is removed when it is closed.
   *
   * @param progress told of each step, in a phrase for people: {@code starting etcd}
   * @throws SandboxException naming the program that did not start, with the end of its log
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
    var server = parts.add(new ApiServer(programs, folder, certificates, etcd, admin));
    server.start();
    var kubeconfig = folder.write("kubeconfig", certificates.adminKubeconfig(server.address()));

    progress.accept("starting the controllers");
    parts.add(ControllerManager.start(programs, folder, certificates, kubeconfig, server, admin));

    progress.accept("the control plane is ready at " + server.address());
    return new ControlPlane(folder, certificates, server, parts);
  }

  /** The API server's address: {@code https://127.0.0.1:PORT}. */
  public URI server() {
    return apiServer.address();
  }

  /** The API server, to stop it and to start it again. */
  public ApiServer apiServer() {
    return apiServer;
  }

  /** The authority that the API server trusts for its clients, and that signed its certificate. */
  public Authority authority() {
    return certificates.authority();
  }

  /** The file of the administrator's kubeconfig. */
  public Path kubeconfig() {
    return folder.file("kubeconfig");
  }

  /** The text of a kubeconfig for an administrator. */
  public String adminKubeconfig() {
    return certificates.adminKubeconfig(server());
  }

  /**
   * The text of a kubeconfig for anybody, who has what rights RBAC gives to the name and groups.
   *
   * @param user the user's name
   * @param groups the user's groups; the API server adds {@code system:authenticated}
   */
  public String kubeconfigFor(String user, List<String> groups) {
    return Kubeconfig.text(
        server(), authority().certificate(), certificates.issueClient(user, groups));
  }

  /**
   * The text of a kubeconfig for somebody with the name, groups and so the rights of a service
   * account, whether it exists or not.
   */
  public String kubeconfigForServiceAccount(String namespace, String name) {
    return kubeconfigFor(
        "system:serviceaccount:%s:%s".formatted(namespace, name),
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace));
  }

  /** A plain HTTP client for an administrator; the caller closes it. */
  public HttpClient adminHttpClient() {
    return certificates.adminClient();
  }

  /** A plain HTTP client for anybody, as {@link #kubeconfigFor}; the caller closes it. */
  public HttpClient httpClientFor(String user, List<String> groups) {
    return certificates.httpClient(user, groups);
  }

  /**
   * The audit log, one JSON event a line: writes with request and response, the rest with its
   * metadata.
   */
  public Path auditLog() {
    return folder.file(ApiServer.AUDIT_LOG);
  }

  /** Where state and logs lie. */
  public Path state() {
    return folder.path();
  }

  /** Ends all programs; does nothing when called again. */
  @Override
  public void close() {
    parts.close();
  }
}
