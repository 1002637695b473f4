package dev.shipshape.sandbox;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Starts the controllers: garbage collection, Deployments, Jobs, namespaces, service accounts. */
final class ControllerManager {
  /** The name of the pair that signs service account tokens. */
  static final String TOKENS = "service-account-tokens";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private ControllerManager() {}

  /**
   * Starts the controllers and waits until they work.
   *
   * @param client of an administrator
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
    // The controllers have no health port; one of them creates this account.
    var account = "/api/v1/namespaces/default/serviceaccounts/default";
    var probe = new HealthCheck(client, server.address().resolve(account));
    return process.awaitReady(probe::succeeds, TIMEOUT);
  }

  private static List<String> command(
      Programs programs, StateFolder folder, Certificates certificates, Path kubeconfig) {
    return List.of(
        programs.path(Programs.KUBE_CONTROLLER_MANAGER),
        "--kubeconfig=" + kubeconfig,
        "--secure-port=0",
        "--leader-elect=false",
        "--use-service-account-credentials",
        // Each controller first requests an account and a token. With the default of 20 requests a
        // second, that takes seconds.
        "--kube-api-qps=500",
        "--kube-api-burst=1000",
        "--service-account-private-key-file=" + folder.file(TOKENS + ".key"),
        "--root-ca-file=" + certificates.authorityFile(),
        // Without a kubelet, these two would soon taint the Nodes and delete the Pods of tests.
        "--controllers=*,-node-lifecycle-controller,-pod-garbage-collector-controller");
  }
}
