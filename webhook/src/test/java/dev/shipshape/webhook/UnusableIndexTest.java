package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.Reviews.update;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Who is put off and who is not while the webhook lacks some of what it decides by. */
@ExtendWith(ControlPlaneExtension.class)
@Timeout(180)
class UnusableIndexTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SCHIFF = "network.schiff.telekom.de";
  private static final String PROCESSES = "/apis/" + SCHIFF + "/v1alpha1/nodeconfigprocesses";
  private static final String ROLLOUT = "system:serviceaccount:kube-system:network-operator";

  private final int vni = GuardedCluster.newVni();
  private final UniqueNames names;
  private final String user;
  private final FaultyCluster cluster;
  private final FaultyApi faulty;

  UnusableIndexTest(ControlPlane controlPlane, UniqueNames names, @TempDir Path folder)
      throws Exception {
    this.names = names;
    this.user = names.name("webhook");
    this.cluster = FaultyCluster.open(controlPlane, user, folder);
    this.faulty = cluster.faulty();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Promise(
      value = "A replica does not guess before it knows which configurations are invalid.",
      breaks = "Being ready before the first lists are read.")
  @Test
  void whileItIsNotKnownWhatIsRememberedNothingIsGuessed() throws Exception {
    faulty.always(UnusableIndexTest::isOfStore, FaultyApi.refuse(500));
    startServer("{unready: 30s, refuse: 60s}");
    eventually(
        PATIENCE, () -> assertThat(notReadyReason()).contains("knowninvalid").contains("500"));

    assertPutOff(validate());
    var unchanged = config("worker-1", vni).toString();
    assertThat(cluster.post(update(unchanged, unchanged)).body()).contains("\"allowed\":true");

    faulty.heal();

    eventually(PATIENCE, () -> assertThat(notReadyReason()).isEmpty());
    assertThat(validate().body()).contains("\"allowed\":true");
  }

  @Test
  void whereWhatIsRememberedIsTooOldNothingIsGuessedThoughTheIndexIsGood() throws Exception {
    startServer("{unready: 1s, refuse: 4s}");
    allowedOnceItIsWatched();

    faulty.always(UnusableIndexTest::isOfStore, FaultyApi.hangUp());
    faulty.cut();

    eventually(
        PATIENCE,
        () -> {
          writeConfig();
          assertThat(indexStaleness()).isLessThan(1);
          assertPutOff(validate());
          assertThat(notReadyReason()).contains("knowninvalid");
        });

    faulty.heal();

    allowedOnceItIsWatched();
  }

  @Test
  void aRolloutWhoseProcessWasMadeAnewWhileNobodyWatchedIsOver() throws Exception {
    ReferenceDefinitions.define(
        cluster.api(), "nodeconfig-era", SCHIFF, "nodeconfigprocesses", "NodeConfigProcess");
    faulty.always(request -> request.contains("/nodeconfigs"), FaultyApi.refuse(500));
    cluster.startServer(
        "guards: [{preset: nodeconfig, rolloutServiceAccount: '%s'}]\n".formatted(ROLLOUT));
    cluster.api().post(PROCESSES, process("provisioning")).expect(201);
    var write =
        by(
            ROLLOUT,
            update(config("worker-1", vni).toString(), config("worker-1", vni + 1).toString()));
    try {
      eventually(
          PATIENCE, () -> assertThat(cluster.post(write).body()).contains("\"allowed\":true"));
      assertThat(
              Metric.sum(
                  cluster.server().managementPort(),
                  "shipshape_webhook_requests_total",
                  "decision=\"exempted\""))
          .as("whoever goes on would pass too")
          .isPositive();
      var lost = new AtomicBoolean(true);
      var lists = new AtomicInteger();
      faulty.always(
          request -> request.contains("/nodeconfigprocesses") && lost.get(),
          exchange -> {
            if (exchange.getRequestURI().toString().contains("watch=true")) {
              FaultyApi.tooOld().respond(exchange);
            } else {
              lists.incrementAndGet();
              FaultyApi.refuse(500).respond(exchange);
            }
          });
      faulty.cut();
      cluster.api().delete(PROCESSES + "/network-operator").expect(200);
      cluster.api().post(PROCESSES, process("provisioned")).expect(201);
      eventually(PATIENCE, () -> assertThat(lists).hasPositiveValue());
      lost.set(false);

      eventually(PATIENCE, () -> assertPutOff(cluster.post(write)));
    } finally {
      cluster.api().delete(PROCESSES + "/network-operator").expect(200);
    }
  }

  private static JsonNode process(String state) {
    return json(
        """
        {apiVersion: 'network.schiff.telekom.de/v1alpha1', kind: 'NodeConfigProcess',
         metadata: {name: 'network-operator'}, spec: {state: '%s'}}
        """
            .formatted(state));
  }

  private void startServer(String staleness) throws Exception {
    cluster.startServer(
        """
        staleness: %s
        guards: [{preset: nodeconfig}]
        """
            .formatted(staleness));
  }

  private void allowedOnceItIsWatched() throws Exception {
    eventually(
        PATIENCE,
        () -> {
          writeConfig();
          assertThat(validate().body()).contains("\"allowed\":true");
        });
  }

  private void writeConfig() throws Exception {
    cluster.api().post(Api.NODE_CONFIGS, config(names.name("worker"), vni + 9)).expect(201);
  }

  private double indexStaleness() throws Exception {
    var port = cluster.server().managementPort();
    return Metric.sum(port, "shipshape_webhook_index_staleness_seconds");
  }

  private HttpResponse<String> validate() throws Exception {
    return cluster.validate("worker-1", vni);
  }

  private String notReadyReason() {
    return cluster.server().notReadyReason().orElse("");
  }

  private static void assertPutOff(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).contains("1");
  }

  private static String by(String user, String review) {
    return review.replace("\"jane\"", "\"" + user + "\"");
  }

  private static boolean isOfStore(String request) {
    return request.contains("knowninvalidconfigurations") && request.startsWith("GET ");
  }
}
