package dev.shipshape.sandbox;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The controllers: garbage collection, Deployments, Jobs, namespaces, service accounts. */
final class ControllerManager {
  /** The name of the pair that signs service account tokens. */
  static final String TOKENS = "service-account-tokens";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private ControllerManager() {}

  /**
   * Starts them and waits until they work.
   *
   * @param client an administrator
   */
  static GuardedProcess start(
      Programs programs,
      StateFolder folder,
      Certificates certificates,
      Path kubeconfig,
      ApiServer server,
      HttpClient client) {
    var process =
        GuardedProcess.start(
            command(programs, folder, certificates, kubeconfig),
            folder.path(),
            Map.of(),
            folder.file("kube-controller-manager.log"));
    // They listen on no port; but one of them makes this account.
    var account = "/api/v1/namespaces/default/serviceaccounts/default";
    var probe = new HealthCheck(client, server.address().resolve(account));
    return process.awaitReady(probe::succeeds, PATIENCE);
  }

  private static List<String> command(
      Programs programs, StateFolder folder, Certificates certificates, Path kubeconfig) {
    return List.of(
        programs.path(Programs.KUBE_CONTROLLER_MANAGER),
        "--kubeconfig=" + kubeconfig,
        "--secure-port=0",
        "--leader-elect=false",
        "--use-service-account-credentials",
        // Each controller asks for an account and a token first, which the usual 20 requests a
        // second would draw out over seconds.
        "--kube-api-qps=500",
        "--kube-api-burst=1000",
        "--service-account-private-key-file=" + folder.file(TOKENS + ".key"),
        "--root-ca-file=" + certificates.authorityFile(),
        // No kubelet runs here: these two would soon condemn every Node and Pod made by hand.
        "--controllers=*,-node-lifecycle-controller,-pod-garbage-collector-controller");
  }
}
