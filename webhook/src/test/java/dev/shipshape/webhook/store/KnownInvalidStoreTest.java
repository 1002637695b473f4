package dev.shipshape.webhook.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.StalenessLimits;
import dev.shipshape.webhook.config.StoreLimits;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.known.IndexedObject;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Attempts;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Source;
import dev.shipshape.webhook.known.Verdict;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NamespaceListVisitFromServerGetDeleteRecreateWaitApplicable;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is stored and may go. */
@ExtendWith(ControlPlaneExtension.class)
class KnownInvalidStoreTest {
  private static final String POLICY =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicy
      metadata: {name: %1$s}
      spec:
        matchConstraints:
          resourceRules:
          - apiGroups: [shipshape.dev]
            apiVersions: ["*"]
            operations: [DELETE]
            resources: [knowninvalidconfigurations]
        validations:
        - expression: request.name != '%2$s'
      ---
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicyBinding
      metadata: {name: %1$s}
      spec: {policyName: %1$s, validationActions: [Deny]}
      """;

  private final KubernetesClient kubernetes;
  private final KnownInvalidClient client;
  private final Guard guard;
  private final String policy;

  KnownInvalidStoreTest(ControlPlane cluster, UniqueNames names) throws Exception {
    kubernetes = ApiConnection.open(cluster.kubeconfig(), null);
    client = KnownInvalidClientTest.install(kubernetes);
    policy = names.name("protects");
    guard =
        WebhookSettings.parse(
                "webhook.yaml",
                """
                apiVersion: shipshape.dev/v1
                guards:
                - name: %s
                  resource: {group: example.com, version: v1, plural: things, kind: Thing}
                  identity: {content: spec}
                  invalidWhen: {field: status.state, equals: invalid}
                  provisionedWhen: {field: status.state, equals: provisioned}
                """
                    .formatted(names.name("swept")))
            .guards()
            .getFirst();
  }

  @AfterEach
  void close() {
    policy("").delete();
    kubernetes.close();
  }

  @Test
  void whatMayNotBeDeletedKeepsNothingElse() {
    var expired = IntStream.rangeClosed(1, 4).mapToObj(this::failedDaysAgo).toList();
    var second = expired.get(1).key().objectName();
    protect(second);
    var limits = new StoreLimits(Duration.ofSeconds(10), 1000);

    try (var _ = store(index(limits), limits)) {
      Eventually.holds("the others are deleted", () -> stored(expired).size() <= 1);
    }

    assertThat(stored(expired)).containsExactly(second);
  }

  /** As after an import of what failed in another cluster. */
  @Test
  void ofMoreThanMayBeKeptWhatIsStillRefusedStaysThoughOthersAreNewer() {
    var all = IntStream.rangeClosed(1, 3).mapToObj(this::failedDaysAgo).toList();
    var refused = client.addAttempts(all.getLast(), new Attempts(1, 0, Instant.now(), "jane"));
    var limits = new StoreLimits(Duration.ofDays(30), 2);
    var known = index(limits);
    known.put(guard, failing(guard.name()), null);

    try (var _ = store(known, limits)) {
      Eventually.holds("two of four are deleted", () -> stored(all).size() <= 1);
    }

    assertThat(stored(all)).containsExactly(refused.key().objectName());
  }

  @Test
  void thatMoreFailuresWaitThanAreKeptIsLogged() {
    var known = index(StoreLimits.DEFAULT);
    IntStream.rangeClosed(0, 1000)
        .forEach(number -> known.put(guard, failing(guard.name() + number), null));

    try (var log = new CapturedLog();
        var _ = store(known, StoreLimits.DEFAULT)) {
      Eventually.holds(
          "it is logged",
          () -> !log.lines("known invalid: 1000 configurations wait to be written").isEmpty());
    }
  }

  private KnownInvalid index(StoreLimits limits) {
    return new KnownInvalid(List.of(guard), Scope.CLUSTER, limits.rewriteInterval());
  }

  private KnownInvalidStore store(KnownInvalid known, StoreLimits limits) {
    var staleness = new StalenessLimits(Duration.ofMinutes(1), Duration.ofMinutes(1));
    return new KnownInvalidStore(known, kubernetes, limits, staleness, Instant::now, _ -> {});
  }

  private static IndexedObject failing(String name) {
    var now = Instant.now().getEpochSecond();
    return new IndexedObject(
        "",
        name,
        "uid",
        new Role.Current(name),
        ConfigHash.of(name.getBytes(UTF_8)),
        ConfigStatus.INVALID,
        true,
        now,
        now,
        false,
        false,
        FailureDetails.NONE);
  }

  private KnownInvalidConfiguration failedDaysAgo(int days) {
    var failure = new Failure(Instant.now().minus(Duration.ofDays(days)), "why", "agent");
    var content = guard.name() + days;
    return client.create(
        new KnownInvalidConfiguration(
            new ConfigurationKey(guard.name(), "", ConfigHash.of(content.getBytes(UTF_8))),
            new Source("Thing", content, "uid"),
            Verdict.INVALID,
            Instant.EPOCH,
            "why",
            new TreeMap<>(Map.of("worker-" + days, failure)),
            false,
            null,
            null));
  }

  private void protect(String name) {
    policy(name).create();
    var one =
        kubernetes
            .genericKubernetesResources("shipshape.dev/v1alpha1", KnownInvalidResource.KIND)
            .withName(name);
    Eventually.holds(
        "it may not be deleted",
        () -> {
          try {
            one.dryRun().delete();
            return false;
          } catch (KubernetesClientException e) {
            return true;
          }
        });
  }

  private NamespaceListVisitFromServerGetDeleteRecreateWaitApplicable<HasMetadata> policy(
      String name) {
    return kubernetes.load(
        new ByteArrayInputStream(POLICY.formatted(policy, name).getBytes(UTF_8)));
  }

  private List<String> stored(List<KnownInvalidConfiguration> some) {
    return some.stream()
        .filter(each -> client.read(each.key()) != null)
        .map(each -> each.key().objectName())
        .toList();
  }
}
