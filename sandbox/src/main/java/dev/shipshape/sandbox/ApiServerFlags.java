package dev.shipshape.sandbox;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** How the API server is started: what a real one does, as far as there are no nodes. */
final class ApiServerFlags {
  static final String AUDIT_LOG = "audit.log";

  private final StateFolder folder;
  private final Certificates certificates;
  private final URI etcd;
  private final Certificates.Files serving;
  private final Certificates.Files etcdClient;
  private final Certificates.Files tokens;
  private final Path auditPolicy;
  private final Path admission;

  ApiServerFlags(StateFolder folder, Certificates certificates, URI etcd) {
    this.folder = folder;
    this.certificates = certificates;
    this.etcd = etcd;
    serving = certificates.server("kube-apiserver");
    etcdClient = certificates.client("kube-apiserver-etcd-client");
    tokens = certificates.client(ControllerManager.TOKENS);
    auditPolicy = folder.write("audit-policy.yaml", Resource.text("audit-policy.yaml"));
    admission = WebhookCaller.configure(folder, certificates);
  }

  List<String> command(String program, int port) {
    return List.of(
        program,
        "--bind-address=127.0.0.1",
        "--secure-port=" + port,
        "--tls-cert-file=" + serving.certificate(),
        "--tls-private-key-file=" + serving.key(),
        "--client-ca-file=" + certificates.authorityFile(),
        "--etcd-servers=" + etcd,
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
        "--admission-control-config-file=" + admission,
        "--audit-policy-file=" + auditPolicy,
        "--audit-log-path=" + folder.file(AUDIT_LOG));
  }
}
