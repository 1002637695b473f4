package dev.shipshape.webhook.memory;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.StalenessLimits;
import dev.shipshape.webhook.memory.Remembered.Invalid;
import dev.shipshape.webhook.memory.Remembered.Origin;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a replica reads of a real ConfigMap. */
@ExtendWith(ControlPlaneExtension.class)
class MemoryServiceTest {
  private static final StalenessLimits STALENESS =
      new StalenessLimits(Duration.ofMinutes(1), Duration.ofMinutes(5));

  private final KubernetesClient client;
  private final String namespace;
  private final MemoryService service =
      new MemoryService(
          new MemoryLimits(1000, Duration.ofDays(30)),
          () -> false,
          InstantSource.system(),
          new SimpleMeterRegistry());

  MemoryServiceTest(ControlPlane cluster, UniqueNames names) {
    client = ApiConnection.open(cluster.kubeconfig(), null);
    namespace = names.name("memory");
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    var store = new MemoryStore(client, namespace);
    store.write(store.read(), new Book(Map.of(failed().key(), failed()), Map.of()));
  }

  @AfterEach
  void close() {
    service.close();
    client.close();
  }

  @Test
  void nothingIsDecidedBetweenTheListAndItsReading() throws Exception {
    // Its reading waits for this lock.
    synchronized (service.memory()) {
      var watch = service.start(client, namespace, STALENESS);
      eventually(() -> assertThat(watch.synced()).isTrue());

      assertThat(watch.unusable()).isEmpty();
      assertThat(service.unusable()).get().asString().contains("is not read yet");
      assertThat(service.missing()).isPresent();
    }

    eventually(() -> assertThat(service.unusable()).isEmpty());
    assertThat(service.missing()).isEmpty();
    assertThat(service.memory().size()).isEqualTo(1);
  }

  @Test
  void whatIsListedIsTakenWhateverVersionWasTakenBefore() throws Exception {
    service.memory().read(Book.EMPTY, Long.MAX_VALUE);

    service.start(client, namespace, STALENESS);

    eventually(() -> assertThat(service.memory().size()).isEqualTo(1));
  }

  private static Remembered failed() {
    var at = Instant.parse("2026-11-21T12:00:00Z");
    return new Invalid(
        new Key("nodeconfig", ConfigHash.of(new byte[] {1})),
        new Origin("NodeConfig", "", "worker-1", "uid"),
        new TreeMap<>(Map.of("worker-1", at)),
        at,
        "operator",
        "status.configStatus is invalid",
        false,
        false);
  }
}
