package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.NodeConfigs.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.config.GuardReader;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The override, as the API server itself decides who may. */
class OverrideOnClusterTest extends OnGuardedCluster {
  @Promise(
      value = "Only users with the verb `override` can write a known-invalid configuration.",
      breaks = "Trusting the annotation without checking the verb.")
  @Test
  void whoeverMayOverrideCanWriteAKnownInvalidConfigAndNobodyElse(
      ControlPlane cluster, UniqueNames names) throws Exception {
    var node = names.name("worker");
    guarded.recordInvalid(node, vni);
    var hash = GuardReader.preset("nodeconfig").getFirst().identity().hash(config(node, vni));
    var annotated = config(node, vni);
    annotated
        .withObject("metadata")
        .putObject("annotations")
        .put("shipshape.dev/allow-known-invalid", hash.toString());
    var user = names.name("operator");
    grant(user, "network.schiff.telekom.de", "create");
    try (var somebody = Api.as(cluster, user)) {
      eventually(
          () ->
              assertThat(somebody.post(NODE_CONFIGS, annotated).expect(403).message())
                  .contains(
                      "known invalid",
                      "is there, but %s lacks the verb override on nodeconfigs.shipshape.dev, which ClusterRole shipshape-override grants"
                          .formatted(user))
                  .doesNotContain("annotate it"));

      grant(user, "shipshape.dev", "override");

      eventually(() -> somebody.post(NODE_CONFIGS + "?dryRun=All", annotated).expect(201));
      somebody.post(NODE_CONFIGS, config(node, vni)).expect(403);
      somebody.post(NODE_CONFIGS, annotated).expect(201);
    }
    assertThat(
            guarded.webhook().metric("shipshape_webhook_requests_total", "decision=\"overridden\""))
        .isPositive();
    var overridden = "validate-override.shipshape.dev/decision\":\"overridden\"";
    var denied = "validate.shipshape.dev/decision\":\"denied\"";
    eventually(
        () ->
            assertThat(Files.readAllLines(cluster.auditLog()))
                .filteredOn(line -> line.contains(hash.toString()))
                .anyMatch(line -> line.contains(overridden))
                .anyMatch(line -> line.contains(denied)));
  }

  private static void grant(String user, String group, String verb) throws Exception {
    var rules = "{apiGroups: ['%s'], resources: ['nodeconfigs'], verbs: ['%s']}";
    guarded.api().grant(user + "-" + verb, user, rules.formatted(group, verb));
  }
}
