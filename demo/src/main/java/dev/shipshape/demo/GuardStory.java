package dev.shipshape.demo;

import dev.shipshape.plugin.release.Console;
import java.util.Map;

/** The webhook's part: stamped, recorded, offered again, rejected; and a harmless change. */
final class GuardStory {
  private static final String HASH = "shipshape.dev/config-hash";

  private final Console console;
  private final Checks checks;
  private final DemoCluster cluster;
  private final DemoWebhook webhook;

  GuardStory(Console console, Checks checks, DemoCluster cluster, DemoWebhook webhook) {
    this.console = console;
    this.checks = checks;
    this.cluster = cluster;
    this.webhook = webhook;
  }

  void tell() {
    console.heading("3. A node's configuration is admitted and stamped");
    cluster.apply("node.yaml");
    var admitted = apply("worker-1.yaml");
    var hash = admitted.annotation(HASH);
    console.command("kubectl get nodeconfig worker-1 -o jsonpath='{.metadata.annotations}'");
    console.result(cluster.annotations("worker-1"));
    checks.expect(
        admitted.accepted()
            && hash.matches("v1:[0-9a-f]{64}")
            && cluster.storedHash("worker-1").equals(hash),
        "admitted, and stored with its hashes");

    console.heading("4. The operator records a configuration that broke worker-1");
    var recorded = apply("worker-1-invalid.yaml");
    var known =
        Waiting.until(console, "the webhook has seen the record", webhook::knowsAnInvalidConfig);
    checks.expect(recorded.accepted() && known, "recorded, and known to the webhook");

    console.heading("5. The same configuration again, its lists in another order");
    var refused = apply("worker-1-again.yaml");
    checks.expect(refused.status() == 403, "rejected by the API server itself");
    checks.expect(
        cluster.storedHash("worker-1").equals(hash), "worker-1 has the configuration it had");

    console.heading("6. A harmless change");
    var harmless = apply("worker-1-harmless.yaml");
    checks.expect(
        harmless.accepted() && !harmless.annotation(HASH).equals(hash),
        "admitted, with a new hash");
  }

  private ApiServer.Outcome apply(String file) {
    return cluster.apply(file, Map.of("nodeUid", cluster.nodeUid())).getFirst();
  }
}
