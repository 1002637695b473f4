package dev.shipshape.janitor.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The API server's own 500 and 410, got by asking for what the broken operator asks for. */
@ExtendWith(ControlPlaneExtension.class)
class CanaryTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration LONGEST_GAP = Duration.ofMinutes(6);

  private TestCluster cluster;
  private String agent;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) {
    cluster = new TestCluster(controlPlane, names.namespace("canary"));
    agent = names.name("agent");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aServerThatAnswersAsItShouldIsNoEvidence() {
    try (var client = cluster.clientNamed(agent)) {
      assertThat(canary(new KubernetesApi(client), 1).look(NOW)).isEqualTo(new Evidence.Absent());
    }
    TestCluster.eventually(
        "jobs and sessions were watched",
        () ->
            cluster.audited(agent, event -> event.path("verb").asText().equals("watch")).size()
                == 2);
  }

  @Test
  void aWatchThatIsAnsweredWithA500IsEvidenceOnceItIsRepeated() {
    var version = new AtomicReference<>("None");
    try (var client = cluster.clientThrough(watchingFrom(version), agent)) {
      var canary = canary(new KubernetesApi(client), 3);
      assertThat(canary.look(NOW)).isEqualTo(new Evidence.Absent());
      assertThat(canary.look(NOW)).isEqualTo(new Evidence.Absent());
      assertThat(canary.look(NOW))
          .isInstanceOfSatisfying(
              Evidence.Present.class,
              present ->
                  assertThat(present.detail())
                      .startsWith("3 looks in a row: GET /apis/batch/v1/")
                      .contains("was answered 500: resourceVersion: Invalid value: \"None\""));
      version.set("0");
      assertThat(canary.look(NOW)).isEqualTo(new Evidence.Absent());
      version.set("None");
      assertThat(canary.look(NOW)).as("the count begins anew").isEqualTo(new Evidence.Absent());
    }
  }

  @Test
  void failuresOfDifferentDaysAreNoRow() {
    try (var client = cluster.clientThrough(watchingFrom(new AtomicReference<>("None")), agent)) {
      var canary = canary(new KubernetesApi(client), 2);
      canary.look(NOW);
      assertThat(canary.look(NOW.plus(LONGEST_GAP).plusSeconds(1)))
          .as("another replica led meanwhile")
          .isEqualTo(new Evidence.Absent());
      assertThat(canary.look(NOW)).as("the clock was set back").isEqualTo(new Evidence.Absent());
      assertThat(canary.look(NOW.plus(LONGEST_GAP))).isInstanceOf(Evidence.Present.class);
    }
  }

  @Test
  void aLookThatTellsNothingBreaksNoRowButManyAreAGap() {
    var refuses = new AtomicBoolean();
    try (var client = cluster.clientThrough(failing(refuses), agent)) {
      var canary = canary(new KubernetesApi(client), 2);
      canary.look(NOW);
      refuses.set(true);
      assertThat(canary.look(NOW.plusSeconds(200))).isInstanceOf(Evidence.Unknown.class);
      refuses.set(false);
      assertThat(canary.look(NOW.plusSeconds(300))).isInstanceOf(Evidence.Present.class);
      refuses.set(true);
      assertThat(canary.look(NOW.plusSeconds(500))).isInstanceOf(Evidence.Unknown.class);
      refuses.set(false);
      assertThat(canary.look(NOW.plusSeconds(700))).isEqualTo(new Evidence.Absent());
    }
  }

  @Test
  void aVersionThatIsTooOldIsNormal() {
    try (var client = cluster.clientThrough(watchingFrom(new AtomicReference<>("1")), agent)) {
      assertThat(canary(new KubernetesApi(client), 1).look(NOW)).isEqualTo(new Evidence.Absent());
    }
  }

  @Test
  void whoMayNotLookKnowsNothing() {
    try (var client = cluster.clientOf("powerless")) {
      assertThat(canary(new KubernetesApi(client), 1).look(NOW))
          .isInstanceOfSatisfying(
              Evidence.Unknown.class, unknown -> assertThat(unknown.reason()).contains("403"));
    }
  }

  @Test
  void aResourceThatIsNotServedIsLeftOut() {
    var path = cluster.sessions().replace("cfsessions", "nosuchthings?labelSelector=");
    var canary = new Canary(cluster.api(), List.of(path), 1, LONGEST_GAP);
    assertThat(canary.look(NOW)).isEqualTo(new Evidence.Absent());
  }

  private Canary canary(KubernetesApi api, int repetitions) {
    return new Canary(
        api, EvidenceSearch.watchedByTheOperator(cluster.namespace()), repetitions, LONGEST_GAP);
  }

  /** Watches from None, or as one who may not. */
  private static Interceptor failing(AtomicBoolean refuses) {
    var watching = watchingFrom(new AtomicReference<>("None"));
    return new Interceptor() {
      @Override
      public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        watching.before(builder, request, tags);
        if (refuses.get()) {
          builder.setHeader("Impersonate-User", "nobody");
        }
      }
    };
  }

  private static Interceptor watchingFrom(AtomicReference<String> version) {
    return new Interceptor() {
      @Override
      public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        var uri = request.uri().toString();
        if (uri.contains("watch=1")) {
          builder.uri(
              URI.create(
                  uri.replaceAll("resourceVersion=\\d+", "resourceVersion=" + version.get())));
        }
      }
    };
  }
}
