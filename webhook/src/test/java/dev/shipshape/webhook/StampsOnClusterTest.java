package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.mutation.HashAnnotator;
import dev.shipshape.webhook.mutation.NonStatusTree;
import org.junit.jupiter.api.Test;

/** What the API server makes of the mutating entry's answers, and what it costs. */
class StampsOnClusterTest extends OnGuardedCluster {
  @Promise(
      value = "Every admitted object has the hash of its stored content.",
      breaks = "Hashing before the API server's defaults, or after shipshape's annotations.")
  @Test
  void aConfigIsAdmittedAndStampedWithTheHashOfWhatIsStored(UniqueNames names) throws Exception {
    var name = names.name("worker");

    var stored = guarded.create(config(name, vni)).expect(201);

    var identity = GuardReader.preset("nodeconfig").getFirst().identity();
    assertThat(stored.annotation(ConfigHash.ANNOTATION))
        .isEqualTo(identity.hash(stored.body()).toString())
        .isEqualTo(identity.hash(config(name, vni)).toString());
    assertThat(stored.annotation(HashAnnotator.NON_STATUS_HASH))
        .isEqualTo(NonStatusTree.of(stored.object()).toString());
  }

  @Promise(
      value = "A hash that a user writes is overwritten.",
      breaks = "Trusting an existing annotation.")
  @Test
  void forgedHashesAreOverwritten(UniqueNames names) throws Exception {
    var name = names.name("worker");
    var stored = guarded.create(config(name, vni)).expect(201);

    var forged =
        guarded
            .api()
            .merge(
                NODE_CONFIGS + "/" + name,
                json(
                    """
                    {metadata: {annotations: {'shipshape.dev/config-hash': 'v1:forged',
                     'shipshape.dev/non-status-hash': null}}}
                    """))
            .expect(200);

    assertThat(forged.annotation(ConfigHash.ANNOTATION))
        .isEqualTo(stored.annotation(ConfigHash.ANNOTATION));
    assertThat(forged.annotation(HashAnnotator.NON_STATUS_HASH))
        .isEqualTo(stored.annotation(HashAnnotator.NON_STATUS_HASH));
  }

  @Test
  void aWriteThatChangesNothingIsNoWrite(UniqueNames names) throws Exception {
    var name = names.name("worker");
    var path = NODE_CONFIGS + "/" + name;
    var first = guarded.api().apply(path, config(name, vni)).expect(201);
    var patched =
        guarded.webhook().metric("shipshape_webhook_requests_total", "decision=\"patched\"");

    var second = guarded.api().apply(path, config(name, vni)).expect(200);
    var third = guarded.api().put(path, second.body()).expect(200);

    assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
    assertThat(third.resourceVersion()).isEqualTo(first.resourceVersion());
    assertThat(guarded.webhook().metric("shipshape_webhook_requests_total", "decision=\"patched\""))
        .isEqualTo(patched);
  }
}
