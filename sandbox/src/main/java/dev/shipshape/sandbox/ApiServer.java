package dev.shipshape.sandbox;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The API server of a {@link ControlPlane}. */
record ApiServer(URI address, GuardedProcess process) {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  static final String AUDIT_LOG = "audit.log";

  /**
   * Starts the server and waits until it is ready.
   *
   * @param client trusts the server
   */
  static ApiServer start(
      Programs programs,
      StateFolder folder,
      Certificates certificates,
      Etcd etcd,
      HttpClient client) {
    var address = URI.create("https://127.0.0.1:" + FreePort.pick());
    var process =
        GuardedProcess.start(
            command(programs, address, folder, certificates, etcd),
            folder.path(),
            Map.of(),
            folder.file("kube-apiserver.log"));
    var ready = new HealthCheck(client, address.resolve("/readyz"));
    return new ApiServer(address, process.awaitReady(ready::succeeds, TIMEOUT));
  }

  private static List<String> command(
      Programs programs, URI address, StateFolder folder, Certificates certificates, Etcd etcd) {
    var serving = certificates.server("kube-apiserver");
    var etcdClient = certificates.client("kube-apiserver-etcd-client");
    var tokens = certificates.client(ControllerManager.TOKENS);
    var auditPolicy = folder.write("audit-policy.yaml", Resource.text("audit-policy.yaml"));
    // As in a real cluster, but without nodes.
    return List.of(
        programs.path(Programs.KUBE_APISERVER),
        "--bind-address=127.0.0.1",
        "--secure-port=" + address.getPort(),
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
}
