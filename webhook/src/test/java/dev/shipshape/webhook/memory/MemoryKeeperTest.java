package dev.shipshape.webhook.memory;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.GuardReader;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.Projection;
import dev.shipshape.webhook.memory.Remembered.Invalid;
import dev.shipshape.webhook.memory.Remembered.Origin;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the leader writes to a real cluster. */
@ExtendWith(ControlPlaneExtension.class)
class MemoryKeeperTest {
  private static final MemoryLimits LIMITS = new MemoryLimits(1000, Duration.ofDays(30));
  private static final Duration MORE_THAN_KEPT = LIMITS.keep().plusDays(1);
  private static final Key OLD = new Key("nodeconfig", ConfigHash.of(new byte[] {1}));

  private final Guard guard = GuardReader.preset("nodeconfig").getFirst();
  private final KubernetesClient client;
  private final MemoryStore store;

  MemoryKeeperTest(ControlPlane cluster, UniqueNames names) {
    client = ApiConnection.open(cluster.kubeconfig(), null);
    var namespace = names.name("memory");
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    store = new MemoryStore(client, namespace);
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void anApiServerWhoseClockIsAheadOfThisMachinesByMoreThanIsKeptEmptiesNothing() throws Exception {
    var clock = new AgreedTime(Instant::now, () -> Instant.now().minus(MORE_THAN_KEPT));

    leadUntilTheNewIsWritten(clock);

    assertThat(store.read().book().records()).hasSize(2).containsKey(OLD);
  }

  @Test
  void whatIsTooOldExpiresWhereTheClocksAgree() throws Exception {
    leadUntilTheNewIsWritten(new AgreedTime(Instant::now, Instant::now));

    assertThat(store.read().book().records()).hasSize(1).doesNotContainKey(OLD);
  }

  private void leadUntilTheNewIsWritten(AgreedTime clock) throws Exception {
    var found =
        Objects.requireNonNull(
            store.write(store.read(), new Book(Map.of(OLD, old()), Map.of())), "a conflict");
    var journal = new MemoryJournal(() -> true, clock, LIMITS.keep(), new SimpleMeterRegistry());
    var memory = new Memory(LIMITS, clock, System::nanoTime, journal);
    memory.read(found.book(), found.version());
    fail(memory);
    try (var keeper = new MemoryKeeper(memory, store, LIMITS, () -> true, clock, journal)) {
      keeper.read(found.book());
      keeper.start();
      eventually(() -> assertThat(memory.lessons()).isEmpty());
    }
  }

  private static Remembered old() {
    var at = Instant.now().truncatedTo(ChronoUnit.SECONDS).minus(MORE_THAN_KEPT);
    return new Invalid(
        OLD,
        new Origin("NodeConfig", "", "worker-1", "uid"),
        new TreeMap<>(Map.of("worker-1", at)),
        at,
        "operator",
        "status.configStatus is invalid",
        false,
        false);
  }

  private void fail(Memory memory) throws IOException {
    var object =
        new JsonMapper()
            .readTree(
                """
                {"metadata":{"name":"worker-2","managedFields":[{"subresource":"status",
                  "time":"%s","fieldsV1":{"f:status":{}}}]},
                 "status":{"configStatus":"invalid"},"spec":{"layer2":[{"id":2}]}}
                """
                    .formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS)));
    memory.seen(guard, object, Projection.of(guard, object));
  }
}
