package dev.shipshape.sandbox;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The API server of a {@link ControlPlane}. It can be stopped and started again, on the same
 * address and with the same data, to see what a client makes of that.
 */
public final class ApiServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static final String AUDIT_LOG = "audit.log";

  private final StateFolder folder;
  private final HttpClient client;
  private final int port = FreePort.pick();
  private final List<String> command;
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
    this.folder = folder;
    this.client = client;
    var serving = certificates.server("kube-apiserver");
    var etcdClient = certificates.client("kube-apiserver-etcd-client");
    var tokens = certificates.client(ControllerManager.TOKENS);
    var auditPolicy = folder.write("audit-policy.yaml", Resource.text("audit-policy.yaml"));
    // What a real one does, as far as there are no nodes.
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
            // Nobody reaches this server through the Service "kubernetes", so it has no endpoints;
            // a loopback address would be refused there.
            "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            // No kube-proxy runs here: Services are called at their endpoints.
            "--enable-aggregator-routing=true",
            "--admission-control-config-file=" + webhookCaller(folder, certificates),
            "--audit-policy-file=" + auditPolicy,
            "--audit-log-path=" + folder.file(AUDIT_LOG));
  }

  /** The file for the flag by which webhooks are shown a certificate. */
  private static Path webhookCaller(StateFolder folder, Certificates certificates) {
    var shown = certificates.client(ControlPlane.WEBHOOK_CALLER);
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
                .formatted(shown.certificate(), shown.key()));
    return folder.write(
        "admission.yaml",
        Resource.text("admission.yaml").replace("KUBECONFIG", kubeconfig.toString()));
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
      var log = folder.file("kube-apiserver.log");
      process =
          GuardedProcess.start(command, folder.path(), Map.of(), log)
              .awaitReady(ready::succeeds, PATIENCE);
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
