package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.plugin.TestRelease;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Kubeconfig;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(ControlPlaneExtension.class)
class StatusCommandTest extends WithCommands {
  private static final String BAD_RUN = "the janitor's last run did not end well: see last run";
  private static final String NEEDS_HELP = "operator cray-cfs-operator needs help: see operator";

  private final ControlPlane cluster;
  private final String namespace;

  /** Named as the namespace is, so that no other test's guard is its own. */
  private final TestRelease release;

  @TempDir private Path folder = Path.of("");

  StatusCommandTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.namespace("status");
    this.release = new TestRelease(cluster, namespace);
  }

  @Test
  void aReleaseOfWhichNothingRunsIsNotWellThoughNobodySaysWhy() throws Exception {
    release.deploy();
    settings("prune: {armed: false}");
    release.wish();
    release.register("Validating", "Ignore");
    release.create(
        release
            .registration("Mutating")
            .replace(
                "\"rules\": []",
                """
                "rules": [{"apiGroups": ["network.schiff.telekom.de"], "apiVersions": ["v1alpha1"],
                           "resources": ["nodeconfigs"], "operations": ["CREATE"]}]
                """));

    var exit = status();

    assertThat(out.toString()).contains("0 of 2 ready").doesNotContain("trouble");
    assertThat(exit).isEqualTo(ExitCode.FOUND);
  }

  @Test
  void whatOnlyTheClusterKnowsIsSaid() throws Exception {
    release.deploy();
    release.register("Validating", "Ignore");
    // Nobody runs it, so it neither leads nor can be asked.
    release.create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one", "labels": %s},
         "spec": {"automountServiceAccountToken": false,
                  "containers": [{"name": "webhook", "image": "none"}]}}
        """
            .formatted(release.labels()));
    settings("");

    var exit = status();

    assertThat(out.toString())
        .contains("there is no MutatingWebhookConfiguration")
        .contains("no replica of the janitor leads");
    assertThat(exit).isEqualTo(ExitCode.FOUND);
  }

  @Test
  void aWebhookWithoutAnAuthorityIsTrouble() throws Exception {
    release.deploy();
    release.register("Validating", "Ignore");
    release.create(release.registration("Mutating", "Ignore").replace("QQ==", ""));

    status();

    assertThat(out.toString())
        .contains(
            "MutatingWebhookConfiguration %s has no caBundle: the API server cannot call the webhook"
                .formatted(namespace));
  }

  @Test
  void theLeaderIsShownAsItPublishesItselfWhateverTheSettingsHaveBecome() throws Exception {
    working();
    publish(Instant.now());

    status();

    assertThat(out.toString().lines())
        .anyMatch(line -> line.matches("leader +janitor pod-one_1"))
        .anyMatch(line -> line.matches("pruning +armed"))
        .anyMatch(line -> line.matches("last run +done 2026-11-23T04:00:00Z .*: \\{gone=3}"))
        .anyMatch(
            line ->
                line.matches(
                    "operator +cray-cfs-operator \\(armed\\): not stuck, by its log; last"
                        + " restart at 2026-11-22T04.*, 1 by janitors"))
        .anyMatch(line -> line.matches("restarts +report-only"));
  }

  @ParameterizedTest
  @MethodSource("published")
  void whatTheLeaderPublishesOfTroubleIsNotWell(String status, List<String> reports)
      throws Exception {
    working();
    publish(Instant.now(), status);

    assertThat(status()).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains(reports);
  }

  static Stream<Arguments> published() {
    var well = PublishedStatus.WELL;
    var stuck = well.replace("\"healthy\"", "\"stuck\", \"stuckSince\": \"2026-11-23T04:00:00Z\"");
    return Stream.of(
        arguments(
            well.replace(
                    "\"ending\": \"done\", \"message\": \"\"",
                    "\"ending\": \"failed\", \"message\": \"403\"")
                .replace(
                    "\"healthy\", \"detail\": \"\"", "\"unreadable\", \"detail\": \"it is gone\""),
            List.of(
                "failed 2026-11-23T04:00:00Z",
                ": 403",
                "(armed): unknown: it is gone",
                BAD_RUN,
                NEEDS_HELP)),
        arguments(
            well.replace("\"gone\": 3", "\"gone\": 2, \"remaining\": 1"),
            List.of("{gone=2, remaining=1}", BAD_RUN)),
        // It had something to delete.
        arguments(
            well.replace("\"done\"", "\"interrupted\"")
                .replace("\"good\": true", "\"good\": false"),
            List.of("interrupted 2026-11-23T04:00:00Z", BAD_RUN)),
        arguments(
            stuck.replace(
                "\"refusalDetail\": \"\"",
                "\"restartReason\": \"5 failures\", \"refusal\": \"failed\", \"refusalDetail\":"
                    + " \"403: no\""),
            List.of("not restarted: failed: 403: no", NEEDS_HELP)),
        arguments(
            stuck.replace("\"armed\": true", "\"armed\": false"),
            List.of("(report-only): STUCK since 2026-11-23T04:00:00Z", NEEDS_HELP)),
        arguments(
            well.replace("\"healthy\"", "\"of-a-later-version\""),
            List.of(
                "leader        janitor pod-one_1",
                "ConfigMap shipshape-janitor-status cannot be read",
                "guard  ")));
  }

  @Test
  void aRunThatOnlyReportsMayBeCutShort() throws Exception {
    working();
    publish(
        Instant.now(),
        PublishedStatus.WELL
            .replace("\"pruneArmed\": true", "\"pruneArmed\": false")
            .replace("\"done\"", "\"interrupted\"")
            .replace("\"good\": true", "\"good\": false"));

    status();

    assertThat(out.toString()).containsPattern("last run +interrupted").doesNotContain(BAD_RUN);
  }

  /**
   * As while the janitor hangs, or may not write its status; but not for what was before it led.
   */
  @ParameterizedTest
  @CsvSource({"PT2H, PT3H, true", "PT30M, PT3H, false", "PT2H, PT30M, false"})
  void aRunThatIsOverdueIsNotWell(Duration age, Duration leading, boolean isOverdue) {
    working();
    var now = Instant.now();
    publish(now.minus(leading), now.minus(age));

    status();

    var overdue = "no run of the pruner since " + now.minus(age);
    assertThat(out.toString().contains(overdue)).isEqualTo(isOverdue);
  }

  @Test
  void aRunIsNotOverdueIfTheServersClockIsBehind() {
    var due = Instant.now().minus(Duration.ofMinutes(90)).atZone(ZoneOffset.UTC);
    release.deploy();
    release.register();
    settings(
        "prune: {schedule: \"%d %d %d * * ?\"}"
            .formatted(due.getSecond(), due.getMinute(), due.getHour()));
    publish(Instant.EPOCH, due.toInstant().minusSeconds(1));

    status();

    assertThat(out.toString()).contains("last run").doesNotContain("no run of the pruner");
  }

  /** As with the ClusterRole view. */
  @Test
  void whoMayReadTheNamespaceAloneSeesTheRest() throws Exception {
    release.deploy();
    release.register();
    settings("prune: {armed: true}");
    pod("one");
    publish(Instant.now());
    try (var api = FaultyApi.start(cluster)) {
      api.always(
          request -> request.contains("/leases/") || request.contains("webhookconfigurations"),
          FaultyApi.refuse(403));
      statusThrough(api);
    }
    assertThat(out.toString())
        .contains("how the guard is registered is not known: 403")
        .contains("leader        janitor not known: 403", "done 2026-11-23T04:00:00Z")
        .doesNotContain("there is no ValidatingWebhookConfiguration", "is to be armed")
        .doesNotContain("no replica of the janitor leads");
  }

  /** A program takes it for a pod's name. */
  @Test
  void whyTheLeaderIsNotKnownIsNoLeader() throws Exception {
    release.deploy();
    publish(Instant.now());
    try (var api = FaultyApi.start(cluster)) {
      api.always(request -> request.contains("/leases/"), FaultyApi.refuse(403));
      statusThrough(api, "-o", "json");
    }
    var status = new ObjectMapper().readTree(out.toString());
    assertThat(status.path("janitorLeader").isNull()).isTrue();
    assertThat(status.path("leaderProblem").asText()).startsWith("not known: 403");
  }

  @Test
  void settingsThatAServerCannotUseAreNotWell() throws Exception {
    release.deploy();
    release.register();
    pod("idle");
    release.settings(Map.of("janitor.yaml", "prune: {olderThan: soon}"));

    assertThat(status()).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString())
        .contains("janitor.yaml:2: prune.olderThan: ", "no replica of the janitor leads")
        .contains("the logs of running replicas say why, in the lines with \"lease\" or \"idle\"");
  }

  @Test
  void whatIsLeftOfALeaderThatIsGoneIsSaidToBeOld() throws Exception {
    release.deploy();
    release.register();
    settings("prune: {armed: false}");
    pod("one");
    publish(Instant.now().minusSeconds(60));

    var exit = status();

    assertThat(out.toString())
        .contains("no replica of the janitor leads")
        .contains(
            "unknown: no janitor leads; as last seen, since 2026-11-23T04:10:00Z: not stuck, by its"
                + " log");
    assertThat(out.toString().lines()).anyMatch(line -> line.matches("leader +janitor none"));
    assertThat(exit).isEqualTo(ExitCode.FOUND);
  }

  @Test
  void aGuardThatNobodyIsAskedByRefusesNothing() throws Exception {
    release.deploy();
    release.register("Mutating", "Ignore");
    settings("prune: {armed: false}");

    status();

    assertThat(out.toString())
        .contains("there is no ValidatingWebhookConfiguration")
        .doesNotContain("refuses known-invalid");
    assertThat(out.toString().lines()).anyMatch(line -> line.matches("guard +not asked.*"));
  }

  @Test
  void theGuardIsArmedWhereWritesFailWithoutIt() throws Exception {
    release.deploy();
    release.register("Validating", "Fail");
    release.register("Mutating", "Ignore");

    status();

    assertThat(out.toString().lines())
        .anyMatch(line -> line.matches("guard +refuses known-invalid"))
        .anyMatch(line -> line.matches("trouble +armed, but no replica of the webhook is ready.*"));
  }

  @Test
  void guardsOfWhichOnlySomeRefuseAreToldApart() throws Exception {
    release.deploy();
    release.register("Validating", "Fail", "Ignore", "Fail");
    release.register("Mutating", "Ignore");

    status();

    assertThat(out.toString().lines())
        .anyMatch(line -> line.matches("guard +refuses known-invalid: g0, g2; only warns: g1"));
  }

  @Test
  void whatIsRegisteredOtherwiseThanItIsWishedIsSaid() throws Exception {
    release.deploy();
    release.register("Validating", "Ignore", "Fail", "Fail");
    release.register("Mutating", "Ignore");
    release.wish("Fail", "Ignore", "Fail", "Ignore");

    var exit = status();

    assertThat(out.toString())
        .contains("guard g0 is to be armed, but is not yet: that takes two ready replicas")
        .contains("kubectl -n %1$s logs -c webhook --tail=-1 -l".formatted(namespace))
        .contains("guard g1 is not to be armed, but is: a running replica")
        .contains("guard g3 is not registered yet: a running replica")
        .contains("| grep -E 'registration|certificates'")
        .doesNotContain("guard g2");
    assertThat(exit).isEqualTo(ExitCode.FOUND);
  }

  @Test
  void whatTheReleaseHasLostIsSaid() throws Exception {
    release.deploy();
    release.register("Validating", "Fail");
    release.register("Mutating", "Ignore");

    status();
    assertThat(out.toString()).contains("the ConfigMap with the release's settings is missing");

    settings("prune: {armed: false}");
    try (var api = FaultyApi.start(cluster)) {
      api.always(
          request -> request.equals("GET /apis/shipshape.dev/v1alpha1"), FaultyApi.refuse(404));
      assertThat(statusThrough(api)).isEqualTo(ExitCode.FOUND);
    }
    assertThat(out.toString())
        .contains("no ConfigMap of the release has a valid validating.yaml")
        .contains("the MutatingWebhookConfiguration does not name nodeconfigs")
        .contains(
            "the CustomResourceDefinition knowninvalidconfigurations.shipshape.dev is missing");

    release.configMap("guard", Map.of("validating.yaml", "a: ["));
    status();
    assertThat(out.toString()).contains("no ConfigMap of the release has a valid validating.yaml");
  }

  @Test
  void whatDisarmedTheGuardIsSaidWithItsEndAndNothingElseOfIt() throws Exception {
    release.deploy();
    release.register("Mutating", "Ignore");
    release.wish("Fail");
    release.disarm();

    var exit = status();

    assertThat(out.toString().lines())
        .anyMatch(
            line ->
                line.matches(
                    ("trouble +DISARMED by ConfigMap shipshape-disarmed since 2[-0-9T:]+Z; kubectl"
                            + " -n %s delete configmap shipshape-disarmed --kubeconfig \\S+ arms it"
                            + " again; to try it before: .+")
                        .formatted(namespace)));
    assertThat(out.toString())
        .doesNotContain("there is no ValidatingWebhookConfiguration")
        .doesNotContain("is to be armed");
    assertThat(exit).isEqualTo(ExitCode.FOUND);

    // Whoever may not remove it says so; while no replica runs, nobody does.
    release.register("Validating", "Fail");
    status();

    assertThat(out.toString()).contains("every write of a guarded object fails");
  }

  @Test
  void aNewPodThatCrashesIsNoOldPodThatEnds() throws Exception {
    release.register();
    release.deploy(2, false);
    Eventually.holds("the pods are made", () -> pods().size() == 2);
    pods().forEach(pod -> patchStatus(pod, ready()));
    Eventually.holds("status shows it", () -> shows("2 of 2 ready"));

    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      var image = "{\"spec\": {\"template\": {\"metadata\": {\"annotations\": {\"new\": \"x\"}}}}}";
      client
          .apps()
          .deployments()
          .inNamespace(namespace)
          .withName("shipshape")
          .patch(PatchContext.of(PatchType.JSON_MERGE), image);
      Eventually.holds(
          "the rollout has begun",
          () -> {
            var rolling =
                client.apps().deployments().inNamespace(namespace).withName("shipshape").get();
            return Integer.valueOf(1).equals(rolling.getStatus().getUpdatedReplicas());
          });
    }

    run(
        "status",
        namespace,
        "-n",
        namespace,
        "-o",
        "json",
        "--kubeconfig",
        cluster.kubeconfig() + "");
    assertThat(out.toString()).contains("\"ready\" : false");
  }

  @Test
  void anArmedGuardWithoutADeploymentIsSaidToBlockWrites() throws Exception {
    release.register("Validating", "Fail");
    release.register("Mutating", "Ignore");

    assertThat(status()).isEqualTo(ExitCode.FOUND);

    assertThat(out.toString()).contains("not found", "every write of a guarded object fails");
  }

  /** As with the ClusterRole view, and what docs/security.md adds for status. */
  @Test
  void whoMayNotReadOtherNamespacesSeesWhatAReleaseWithoutADeploymentBlocks() throws Exception {
    release.register("Validating", "Fail");
    release.register("Mutating", "Ignore");
    try (var api = FaultyApi.start(cluster)) {
      api.always(
          request -> request.startsWith("GET /apis/apps/v1/deployments"), FaultyApi.refuse(403));
      assertThat(statusThrough(api)).isEqualTo(ExitCode.FOUND);
      assertThat(out.toString()).contains("every write of a guarded object fails");

      api.always(request -> request.contains("webhookconfigurations"), FaultyApi.refuse(403));
      statusThrough(api);
    }
    assertThat(out.toString()).contains("how the guard is registered is not known: 403");
  }

  @Test
  void aReleaseThatIsNotThereIsSaidToBeElsewhere() throws Exception {
    release.deploy();
    release.register("Mutating", "Ignore");
    var kubeconfig = cluster.kubeconfig().toString();

    run("status", namespace, "-n", "default", "--kubeconfig", kubeconfig);
    assertThat(out.toString()).contains("there is one in namespace " + namespace);
    run("status", "mistyped", "-n", namespace, "--kubeconfig", kubeconfig);
    assertThat(out.toString()).contains("there is the release " + namespace);
  }

  /** The operator has a newer version: what is known stays refused, but nothing more is learned. */
  @Test
  void aGuardOfAVersionThatIsNotServedIsATrouble() throws Exception {
    release.deploy();
    var group = namespace + ".example.com";
    try (var _ = WidgetCluster.open(cluster, group)) {
      var guard =
          "guards: [{name: widgets, resource: {group: %s, version: v0, plural: widgets, kind:"
              + " Widget}, identity: {content: spec}, invalidWhen: {field: status.bad, equals:"
              + " yes}}]";
      release.settings(Map.of("webhook.yaml", guard.formatted(group)));

      assertThat(status()).isEqualTo(ExitCode.FOUND);
      assertThat(out.toString())
          .contains("serves widgets." + group + ", but not in version v0: nothing new is learned")
          .doesNotContain("the cluster does not have");
    }
  }

  /** Before a guard is armed, a person wants to know what it would refuse. */
  @Test
  void whatAGuardThatIsNotArmedWouldHaveRefusedIsSaid() throws Exception {
    release.deploy();
    release.create(
        release
            .registration("Validating", "Ignore")
            .replace(
                "\"rules\": []",
                """
                "objectSelector": {"matchLabels": {"only": "%s"}},
                "rules": [{"apiGroups": ["network.schiff.telekom.de"], "apiVersions": ["v1alpha1"],
                  "resources": ["nodeconfigs"], "operations": ["CREATE"]}]
                """
                    .formatted(namespace)));
    settings("prune: {armed: false}");

    status(
        List.of(
            tried("nodeconfig", "1", 2, "jane"),
            tried("nodeconfig", "2", 1, "argocd"),
            tried("nodeconfig", "3", 0, "nobody"),
            tried("widgets", "4", 9, "nobody")));

    assertThat(out.toString())
        .contains(
            "nodeconfig: 3 writes of 2 configurations would have been refused since"
                + " 2026-11-01T00:00:00Z, by jane, argocd",
            "the cluster does not have nodeconfigs.network.schiff.telekom.de, so nothing")
        .doesNotContain("nobody");
  }

  private static String tried(String guard, String digit, int warned, String writer) {
    return """
    {"apiVersion": "shipshape.dev/v1alpha1", "kind": "KnownInvalidConfiguration",
     "metadata": {"name": "%1$s.%2$s", "creationTimestamp": "2026-11-0%3$sT00:00:00Z"},
     "spec": {"guard": "%1$s", "hash": "v1:%2$s", "verdict": "Invalid"},
     "status": {"warned": %4$d, "lastAt": "2026-11-20T00:00:00Z", "lastWriter": "%5$s"}}
    """
        .formatted(guard, digit.repeat(64), digit, warned, writer);
  }

  private void status(List<String> known) throws IOException {
    try (var api = FaultyApi.start(cluster)) {
      api.always(
          request -> request.startsWith("GET /apis/shipshape.dev/v1alpha1/knowninvalid"),
          FaultyApi.respondWith(
              "{\"kind\": \"KnownInvalidConfigurationList\", \"metadata\": {\"resourceVersion\": \"1\"}, \"items\": [%s]}"
                  .formatted(String.join(", ", known))));
      // Other tests may have installed the definition.
      api.always(
          request ->
              request.equals("GET /apis/shipshape.dev/v1alpha1")
                  || request.equals("GET /apis/network.schiff.telekom.de/v1alpha1"),
          FaultyApi.refuse(404));
      statusThrough(api);
    }
  }

  private int statusThrough(FaultyApi api, String... options) throws IOException {
    var config =
        Files.writeString(folder.resolve("config"), Kubeconfig.anonymous(api.address().toString()));
    var line = new ArrayList<>(List.of("status", namespace, "-n", namespace));
    line.addAll(List.of("--kubeconfig", config.toString()));
    line.addAll(List.of(options));
    return run(line.toArray(String[]::new));
  }

  /** A release whose webhook is registered, and whose settings arm nothing. */
  private void working() {
    release.deploy();
    release.register();
    settings("prune: {armed: false}");
  }

  private void settings(String janitor) {
    release.settings(Map.of("webhook.yaml", TestRelease.NODECONFIG, "janitor.yaml", janitor));
  }

  private boolean shows(String part) {
    status();
    return out.toString().contains(part);
  }

  private List<String> pods() {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      return client.pods().inNamespace(namespace).list().getItems().stream()
          .map(pod -> pod.getMetadata().getName())
          .toList();
    }
  }

  private static String ready() {
    return """
    {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}
    """;
  }

  private void patchStatus(String pod, String status) {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      client
          .pods()
          .inNamespace(namespace)
          .withName(pod)
          .subresource("status")
          .patch(PatchContext.of(PatchType.JSON_MERGE), status);
    }
  }

  /** What a leader has published that last renewed its Lease then. */
  private void publish(Instant acquired, Instant lastRun) {
    var status = PublishedStatus.WELL.replace("2026-11-23T04:00:00Z", lastRun.toString());
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      PublishedStatus.publish(client, namespace, acquired, Instant.now(), status);
    }
  }

  private void publish(Instant renewed) {
    publish(renewed, PublishedStatus.WELL);
  }

  private void publish(Instant renewed, String status) {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      PublishedStatus.publish(client, namespace, renewed, status);
    }
  }

  private void pod(String name) {
    release.create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "labels": %s},
         "spec": {"automountServiceAccountToken": false,
                  "containers": [{"name": "webhook", "image": "none", "ports": [
                    {"name": "metrics", "containerPort": 8080}, {"name": "janitor-metrics", "containerPort": 8081}]}]}}
        """
            .formatted(name, release.labels()));
  }

  private int status() {
    return run(
        "status", namespace, "-n", namespace, "--kubeconfig", cluster.kubeconfig().toString());
  }
}
