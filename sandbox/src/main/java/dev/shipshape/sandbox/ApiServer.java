package dev.shipshape.sandbox;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The API server of a {@link ControlPlane}. A test can stop it and start it again, with the same
 * address and data.
 */
public final class ApiServer implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  static final String AUDIT_LOG = "audit.log";

  private final StateFolder folder;
  private final HttpClient client;
  private final int port = FreePort.pick();
  private final List<String> command;
  private @Nullable GuardedProcess process;

  /**
   * Does not start it yet.
   *
   * @param client trusts the server
   */
  ApiServer(
      Programs programs,
      StateFolder folder,
      Certificates certificates,
      Etcd etcd,
      HttpClient client) {
    this.folder = folder;
    this.client = client;
    var serving = certificates.server("kube-apiserver");
    var etcdClient = certificates.client("kube-apiserver-etcd-client");
    var tokens = certificates.client(ControllerManager.TOKENS);
    var auditPolicy = folder.write("audit-policy.yaml", Resource.text("audit-policy.yaml"));
    // As in a real cluster, but without nodes.
    command =
        List.of(
            programs.path(Programs.KUBE_APISERVER),
            "--bind-address=127.0.0.1",
            "--secure-port=" + port,
            "--tls-cert-file=" + serving.certificate(),
            "--tls-private-key-file=" + serving.key(),
            "--client-ca-file=" + certificates.authorityFile(),
            "--etcd-servers=" + etcd.address(),
            "--etcd-cafile=" + certificates.authorityFile(),
            "--etcd-certfile=" + etcdClient.certificate(),
            "--etcd-keyfile=" + etcdClient.key(),
            "--authorization-mode=RBAC",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-signing-key-file=" + tokens.key(),
            "--service-account-key-file=" + tokens.certificate(),
            "--service-cluster-ip-range=10.96.0.0/16",
            // The Service "kubernetes" has no endpoints, because a loopback address is not valid as
            // one. No pod runs here that would use it.
            "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            // No kube-proxy runs here: call Services at their endpoints.
            "--enable-aggregator-routing=true",
            "--admission-control-config-file=" + webhookCaller(folder, certificates),
            "--audit-policy-file=" + auditPolicy,
            "--audit-log-path=" + folder.file(AUDIT_LOG));
  }

  /** Writes the admission configuration with the client certificate for calls to webhooks. */
  private static Path webhookCaller(StateFolder folder, Certificates certificates) {
    var pair = certificates.client(ControlPlane.WEBHOOK_CALLER);
    var kubeconfig =
        folder.write(
            "webhook-caller.yaml",
            """
            apiVersion: v1
            kind: Config
            users:
            - name: "*"
              user: {client-certificate: "%s", client-key: "%s"}
            """
                .formatted(pair.certificate(), pair.key()));
    return folder.write(
        "admission.yaml",
        Resource.text("admission.yaml").replace("KUBECONFIG", kubeconfig.toString()));
  }

  /** The address, {@code https://127.0.0.1:PORT}, the same after each start. */
  public URI address() {
    return URI.create("https://127.0.0.1:" + port);
  }

  /**
   * Starts the server and waits until it is ready; does nothing if it runs.
   *
   * @throws SandboxException with the end of its log if it does not become ready
   */
  public synchronized void start() {
    if (process == null) {
      var ready = new HealthCheck(client, address().resolve("/readyz"));
      var log = folder.file("kube-apiserver.log");
      process =
          GuardedProcess.start(command, folder.path(), Map.of(), log)
              .awaitReady(ready::succeeds, TIMEOUT);
    }
  }

  /** Stops the server with all connections; does nothing if it does not run. */
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
