package dev.shipshape.janitor.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.DeleteOptions;
import dev.shipshape.janitor.kubernetes.DeploymentPods;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(ControlPlaneExtension.class)
class CrashLoopsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final String RUNNING = "{\"running\": {}}";
  private static final String BACK_OFF = "{\"waiting\": {\"reason\": \"CrashLoopBackOff\"}}";

  private TestCluster cluster;
  private CrashLoops crashLoops;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) {
    cluster = new TestCluster(controlPlane, names.namespace("crash"));
    crashLoops = crashLoops(cluster.api());
    TestCluster.eventually(
        "pods may be created",
        () -> cluster.names(cluster.path("serviceaccounts")).contains("default"));
    cluster.create(
        cluster.path("pods"),
        """
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "one", "labels": {"app": "operator"}, %s},
         "spec": {"containers": [
           {"name": "cray-cfs-operator", "image": "example.com/operator"},
           {"name": "istio-proxy", "image": "example.com/proxy"}]}}
        """
            .formatted(cluster.operatorWithoutPods()));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void crashLoopBackOffIsEvidenceAtOnce() {
    status(7, BACK_OFF, 0, RUNNING);
    assertThat(crashLoops.look(NOW))
        .isEqualTo(new Evidence.Present("pod one is in CrashLoopBackOff, restarted 7 times"));
  }

  @Test
  void aCountThatGrowsFastIsEvidenceUntilTheTimeIsOver() {
    status(100, RUNNING, 0, RUNNING);
    assertThat(crashLoops.look(NOW)).as("a long life, not a loop").isEqualTo(new Evidence.Absent());
    status(102, RUNNING, 0, RUNNING);
    assertThat(crashLoops.look(NOW.plusSeconds(60))).isEqualTo(new Evidence.Absent());
    status(103, RUNNING, 0, RUNNING);
    assertThat(crashLoops.look(NOW.plusSeconds(120)))
        .isEqualTo(new Evidence.Present("pod one was restarted 3 times within PT10M"));
    assertThat(crashLoops.look(NOW.plusSeconds(659))).isInstanceOf(Evidence.Present.class);
    assertThat(crashLoops.look(NOW.plusSeconds(660))).isEqualTo(new Evidence.Absent());
  }

  @Test
  void aCountThatGrowsSlowlyIsNone() {
    for (var i = 0; i < 5; i++) {
      status(i, RUNNING, 0, RUNNING);
      assertThat(crashLoops.look(NOW.plusSeconds(i * 300L))).isEqualTo(new Evidence.Absent());
    }
  }

  @Test
  void whatGrewWhileNobodyLookedIsNone() {
    status(0, RUNNING, 0, RUNNING);
    crashLoops.look(NOW);
    status(5, RUNNING, 0, RUNNING);
    assertThat(crashLoops.look(NOW.plusSeconds(601)))
        .as("another replica led meanwhile")
        .isEqualTo(new Evidence.Absent());
    status(8, RUNNING, 0, RUNNING);
    assertThat(crashLoops.look(NOW.plusSeconds(1201)))
        .isEqualTo(new Evidence.Present("pod one was restarted 3 times within PT10M"));
  }

  @Test
  void whatGrewBeforeTheClockWasSetBackIsNone() {
    status(0, RUNNING, 0, RUNNING);
    crashLoops.look(NOW);
    status(5, RUNNING, 0, RUNNING);
    assertThat(crashLoops.look(NOW.minusSeconds(3600))).isEqualTo(new Evidence.Absent());
  }

  @Test
  void aLookThatFailsIsNone() {
    var refuses = new AtomicBoolean();
    try (var client = cluster.clientThrough(refusing(refuses), "crash-loops")) {
      crashLoops = crashLoops(new KubernetesApi(client));
      status(0, RUNNING, 0, RUNNING);
      crashLoops.look(NOW);
      refuses.set(true);
      assertThat(crashLoops.look(NOW.plusSeconds(400))).isInstanceOf(Evidence.Unknown.class);
      refuses.set(false);
      status(5, RUNNING, 0, RUNNING);
      assertThat(crashLoops.look(NOW.plusSeconds(800))).isEqualTo(new Evidence.Absent());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Failed", "Succeeded"})
  void aPodThatHasEndedIsNone(String phase) {
    status(7, BACK_OFF, 0, RUNNING);
    cluster.patch(
        cluster.path("pods/one/status"), "{\"status\": {\"phase\": \"%s\"}}".formatted(phase));
    assertThat(crashLoops.look(NOW)).isEqualTo(new Evidence.Absent());
  }

  @Test
  void aPodThatIsBeingDeletedIsNone() {
    status(7, BACK_OFF, 0, RUNNING);
    var pod = cluster.path("pods/one");
    cluster.patch(pod, "{\"metadata\": {\"finalizers\": [\"example.com/hold\"]}}");
    var uid = cluster.get(pod).at("/metadata/uid").asText();
    cluster.api().delete(pod, new DeleteOptions(uid, null)).requireSuccess("DELETE " + pod);
    assertThat(crashLoops.look(NOW)).isEqualTo(new Evidence.Absent());
    cluster.patch(pod, "{\"metadata\": {\"finalizers\": null}}");
  }

  @Test
  void theProxyBesideItMayCrash() {
    status(0, RUNNING, 50, BACK_OFF);
    assertThat(crashLoops.look(NOW)).isEqualTo(new Evidence.Absent());
  }

  @Test
  void podsThatMayNotBeListedAreNoEvidence() {
    try (var client = cluster.clientOf("powerless")) {
      assertThat(crashLoops(new KubernetesApi(client)).look(NOW))
          .isInstanceOfSatisfying(
              Evidence.Unknown.class, unknown -> assertThat(unknown.reason()).contains("403"));
    }
  }

  private CrashLoops crashLoops(KubernetesApi api) {
    return new CrashLoops(
        new DeploymentPods(api, cluster.namespace(), "cray-cfs-operator"),
        "cray-cfs-operator",
        3,
        Duration.ofMinutes(10));
  }

  private static Interceptor refusing(AtomicBoolean refuses) {
    return new Interceptor() {
      @Override
      public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        if (refuses.get()) {
          builder.setHeader("Impersonate-User", "nobody");
        }
      }
    };
  }

  private void status(int restarts, String state, int proxyRestarts, String proxyState) {
    cluster.patch(
        cluster.path("pods/one/status"),
        """
        {"status": {"phase": "Running", "containerStatuses": [
          {"name": "cray-cfs-operator", "image": "i", "imageID": "i", "ready": true,
           "restartCount": %d, "state": %s},
          {"name": "istio-proxy", "image": "i", "imageID": "i", "ready": true,
           "restartCount": %d, "state": %s}]}}
        """
            .formatted(restarts, state, proxyRestarts, proxyState));
  }
}
