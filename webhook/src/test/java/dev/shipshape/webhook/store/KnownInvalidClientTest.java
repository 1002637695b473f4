package dev.shipshape.webhook.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Attempts;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Source;
import dev.shipshape.webhook.known.Verdict;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What two writers do to one object, each of which believes that it is as it was read. */
@ExtendWith(ControlPlaneExtension.class)
class KnownInvalidClientTest {
  private final KubernetesClient kubernetes;
  private final KnownInvalidClient client;
  private final KnownInvalidConfiguration made;

  KnownInvalidClientTest(ControlPlane cluster, UniqueNames names) throws Exception {
    kubernetes = ApiConnection.open(cluster.kubeconfig(), null);
    client = install(kubernetes);
    var hash = ConfigHash.of(names.name("content").getBytes(StandardCharsets.UTF_8));
    made =
        client.create(
            new KnownInvalidConfiguration(
                new ConfigurationKey("nodeconfig", "", hash),
                new Source("NodeConfig", "worker-1", "uid"),
                Verdict.INVALID,
                Instant.EPOCH,
                "why",
                failures("worker-1"),
                false,
                "{\"layer2\":[]}",
                null));
  }

  /** Installs the definition. */
  static KnownInvalidClient install(KubernetesClient kubernetes) throws IOException {
    var definition = Path.of("../chart/files/knowninvalidconfigurations.yaml");
    kubernetes.resource(Files.readString(definition)).forceConflicts().serverSideApply();
    var client = new KnownInvalidClient(kubernetes);
    Eventually.holds("it is served", () -> isServed(client));
    return client;
  }

  private static boolean isServed(KnownInvalidClient client) {
    try {
      return client.list() != null;
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  @AfterEach
  void close() {
    kubernetes.close();
  }

  @Test
  void failuresOfNodesAreWrittenByBoth() {
    client.patch(made, made.with(Verdict.INVALID, failures("worker-1", "worker-2")));
    var last = client.patch(made, made.with(Verdict.INVALID, failures("worker-3")));

    assertThat(last.nodes()).containsExactly("worker-2", "worker-3");
    assertThat(last.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(last.reason()).isEqualTo("why");
  }

  @Test
  void aVerdictIsWrittenByTheFirst() {
    var cleared = client.patch(made, made.clearedBy(Instant.EPOCH));

    assertThat(requireNonNull(cleared.stored()).byHand()).isFalse();
    assertConflict(() -> client.patch(made, made.with(Verdict.SUSPECTED, made.failures())));
    assertConflict(() -> client.create(made));
    assertThat(requireNonNull(client.read(made.key())).verdict()).isEqualTo(Verdict.CLEARED);
  }

  @Test
  void whatASuccessClearedIsClearedSinceTheSuccess() {
    var success = Instant.parse("2026-11-01T00:00:00Z");
    client.patch(made, made.clearedBy(success));
    var cleared = requireNonNull(client.read(made.key()));
    client.addAttempts(cleared, new Attempts(1, 0, Instant.EPOCH, "jane"));

    assertThat(requireNonNull(client.read(made.key())).clearedAt()).isEqualTo(success);
    client.clear(made.key(), "somebody");
    var byHand = requireNonNull(client.read(made.key()));
    assertThat(byHand.clearedAt()).isAfter(success);
    var counted = client.addAttempts(byHand, new Attempts(1, 0, Instant.EPOCH, "jane"));
    assertThat(requireNonNull(counted.stored()).byHand()).isTrue();
  }

  /** The API server then adds a manager without a time. */
  @Test
  void anApplyThatChangesNothingLeavesItReadable() {
    client.declare(made.with(Verdict.INVALID, new TreeMap<>()), "gitops");

    var stored = requireNonNull(requireNonNull(client.read(made.key())).stored());
    assertThat(stored.byHand()).isFalse();
    assertThat(stored.imported()).isFalse();
  }

  @Test
  void whatAPersonCallsInvalidStaysSoWhenItFailsAgain() {
    client.declare(
        new KnownInvalidConfiguration(
            made.key(),
            made.source(),
            Verdict.INVALID,
            Instant.EPOCH,
            "a person says so",
            new TreeMap<>(),
            false,
            null,
            null),
        "somebody");
    var read = requireNonNull(client.read(made.key()));
    var second = Instant.now().getEpochSecond();
    Eventually.holds(
        "managed fields have another time", () -> Instant.now().getEpochSecond() > second);

    var next = client.patch(read, read.with(Verdict.INVALID, failures("worker-1", "worker-2")));

    assertThat(next.nodes()).containsExactly("worker-1", "worker-2");
    assertThat(requireNonNull(next.stored()).byHand()).isTrue();
  }

  @Test
  void whatWasMadeAnewGetsFailuresButNoVerdict() {
    client.delete(made);
    client.create(made);

    assertConflict(() -> client.patch(made, made.clearedBy(Instant.EPOCH)));
    assertThat(client.patch(made, made.with(Verdict.INVALID, failures("worker-2"))).nodes())
        .containsExactly("worker-2");
  }

  private static void assertConflict(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
  }

  private static SortedMap<String, Failure> failures(String... nodes) {
    var failures = new TreeMap<String, Failure>();
    for (var node : nodes) {
      failures.put(node, new Failure(Instant.ofEpochSecond(50), "message", "agent"));
    }
    return failures;
  }
}
