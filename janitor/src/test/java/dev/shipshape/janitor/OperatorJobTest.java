package dev.shipshape.janitor;

import static dev.shipshape.janitor.TestJanitors.LATER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.FakePrometheus;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.restart.RestartResult;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator's check on a real API server, from its settings to its Events. */
@ExtendWith(ControlPlaneExtension.class)
class OperatorJobTest {
  @TempDir Path folder;
  private TestCluster cluster;
  private String agent;
  private OperatorLogFile log;
  private LogServer logs;
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws IOException {
    cluster = new TestCluster(controlPlane, names.namespace("job"));
    agent = names.name("agent");
    log = new OperatorLogFile(folder.resolve("cray-cfs-operator.log"));
    logs = LogServer.start(folder);
    cluster.logsFrom(logs.redirect());
    open.add(cluster);
    open.add(logs);
    cluster.createOperator();
    log.stuckAt(LATER.instant());
  }

  @AfterEach
  void close() throws Exception {
    for (var part : open.reversed()) {
      part.close();
    }
  }

  @Test
  void aRestartIsToldByAnEventThatRegardsTheDeployment() throws Exception {
    try (var job = job("", "")) {
      var report = checkTwice(job);
      assertThat(report.restartedAt()).isNotNull();
      assertThat(report.governor()).isEqualTo(RestartRefusal.COOLDOWN);
      assertThat(job.check().governor()).isEqualTo(RestartRefusal.COOLDOWN);
      job.check();
      TestCluster.eventually("both are written", () -> cluster.events().size() >= 2);
    }
    var uid = cluster.get(cluster.deployment()).at("/metadata/uid").asText();
    assertThat(cluster.events())
        .as("the refusal that follows is told once, however long it lasts")
        .extracting(event -> event.path("reason").asText())
        .containsExactlyInAnyOrder("StuckOperatorRestarted", "StuckOperatorNotRestarted");
    assertThat(cluster.events())
        .allSatisfy(event -> assertThat(event.at("/regarding/uid").asText()).isEqualTo(uid))
        .extracting(event -> event.path("note").asText())
        .anyMatch(note -> note.startsWith("cooldown: "));
  }

  /** Of many pods, whose nodes are slow or off. */
  @Test
  void anOperatorWhoseLogsTakeLongerToReadThanTheWindowIsRestarted() throws Exception {
    var now = new AtomicReference<>(LATER.instant());
    var slow =
        new Interceptor() {
          @Override
          public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            if (request.uri().getPath().endsWith("/log")) {
              now.updateAndGet(time -> time.plusSeconds(200));
            }
          }
        };
    try (var client = cluster.clientThrough(slow, agent);
        var job = TestOperatorJob.of(settings(""), client, now::get)) {
      assertThat(refusal(job.check())).isEqualTo(RestartRefusal.NOT_CONFIRMED);
      log.stuckAt(now.updateAndGet(time -> time.plusSeconds(10)));
      assertThat(job.check().restartedAt()).isNotNull();
    }
  }

  /** By a wrong clock it would be cured: no failure is within the window. */
  @Test
  void aRestartIsNotJudgedWhileTheClocksAreApart() throws Exception {
    try (var job = job("", "")) {
      assertThat(checkTwice(job).restartedAt()).isNotNull();
    }
    cluster.finishRollout();
    var ahead = Clock.offset(LATER, Duration.ofMinutes(12));
    try (var client = cluster.clientNamed(agent);
        var job = TestOperatorJob.of(settings("clockTolerance: 1m"), client, ahead)) {
      var report = job.check();
      assertThat(report.governor()).isEqualTo(RestartRefusal.CLOCKS_APART);
      assertThat(report.result()).isNull();
    }
  }

  @Test
  void eventsThatAreRefusedChangeNothing() throws Exception {
    var failing =
        new Interceptor() {
          @Override
          public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            if (request.uri().getPath().endsWith("/events")) {
              builder.uri(URI.create(request.uri() + "/none/such"));
            }
          }
        };
    try (var client = cluster.clientThrough(failing, agent);
        var job = TestOperatorJob.of(settings(""), client, LATER)) {
      assertThat(checkTwice(job).restartedAt()).isNotNull();
    }
    assertThat(cluster.events()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"spec\": {\"paused\": true}}',PAUSED",
    "'{\"metadata\": {\"labels\": {\"shipshape.dev/maintenance\": \"true\"}}}',MAINTENANCE",
    "'{\"metadata\": {\"labels\": {\"shipshape.dev/maintenance\": \"Yes\"}}}',MAINTENANCE",
    "'{\"spec\": {\"template\": {\"metadata\": {\"labels\": {\"new\":"
        + " \"pods\"}}}}}',ROLLOUT_IN_PROGRESS"
  })
  void whatSomebodyElseIsDoingIsNotDisturbed(String patch, RestartRefusal refusal)
      throws Exception {
    cluster.patch(cluster.deployment(), patch);
    try (var job = job("", "")) {
      var report = job.check();
      assertThat(refusal(report)).isEqualTo(refusal);
      assertThat(report.governor()).isEqualTo(refusal);
    }
    assertThat(patches()).isEmpty();
  }

  /** The kubelet restarts it too, and then neither Deployment nor ReplicaSet tells. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"state\": {\"running\": {\"startedAt\": \"%s\"}}",
        "\"state\": {\"terminated\": {\"exitCode\": 1, \"startedAt\": \"%s\"}}",
        "\"state\": {\"waiting\": {\"reason\": \"CrashLoopBackOff\"}},"
            + " \"lastState\": {\"terminated\": {\"exitCode\": 1, \"startedAt\": \"%s\"}}"
      })
  void aContainerThatWasJustStartedIsGivenTheCooldown(String status) throws Exception {
    try (var job = job("", "")) {
      containerIs(status.formatted(minutesBeforeLater(14)));
      assertThat(refusal(job.check())).isEqualTo(RestartRefusal.COOLDOWN);
      containerIs(status.formatted(minutesBeforeLater(16)));
      assertThat(checkTwice(job).restartedAt()).isNotNull();
    }
  }

  @Promise(
      value = "Nothing is restarted during maintenance, or if Prometheus cannot be queried.",
      breaks = "Treating an error as \"no alert\".")
  @Test
  void aFiringAlertBlocksAndSoDoesAPrometheusThatIsGone() throws Exception {
    var prometheus = FakePrometheus.start();
    open.add(prometheus);
    var maintenance =
        "maintenance: {prometheus: \"%s\", query: up == 0}".formatted(prometheus.address());
    try (var job = job("", maintenance)) {
      prometheus.firing(true);
      assertThat(refusal(job.check())).isEqualTo(RestartRefusal.MAINTENANCE);
      prometheus.close();
      var unreachable = job.check();
      assertThat(unreachable.refusal()).isEqualTo(RestartRefusal.MAINTENANCE);
      assertThat(unreachable.refusalDetail()).contains("could not check for maintenance");
      assertThat(patches()).isEmpty();
    }
    var back = FakePrometheus.start();
    open.add(back);
    try (var job = job("", maintenance.replaceAll("http:[^\"]*", back.address().toString()))) {
      assertThat(checkTwice(job).restartedAt()).isNotNull();
    }
  }

  @Test
  void aSessionThatAFinalizerHoldsDelaysNoRestart() throws Exception {
    var name = "batcher-00000001-0000-4000-8000-000000000001";
    cluster.createSession(
        name,
        "complete",
        Instant.now().minus(Duration.ofDays(30)).toString(),
        session -> session.withObject("/metadata").putArray("finalizers").add("example.com/hold"));
    try (var job = job("", "", "armed: true, clockTolerance: 1h")) {
      job.check();
      goesOnFailing();
      assertThat(job.check().restartedAt()).isNotNull();
    }
    var path = cluster.sessions() + "/" + name;
    assertThat(cluster.get(path).at("/metadata/deletionTimestamp").isMissingNode()).isFalse();
    cluster.patch(path, "{\"metadata\": {\"finalizers\": null}}");
  }

  @Test
  void aListThatIsToWaitHoldsUpNeitherTheCheckNorTheRestart(ControlPlane controlPlane)
      throws Exception {
    try (var faulty = FaultyApi.start(controlPlane);
        var client =
            TestCluster.clientAt(faulty.address(), Duration.ofMillis(500), logs.redirect());
        var job = TestOperatorJob.of(settings("armed: true, clockTolerance: 1h"), client, LATER)) {
      faulty.always(
          request -> request.contains("cfsessions?limit="),
          FaultyApi.refuse(429, "Retry-After", "30"));
      var begin = System.nanoTime();
      assertThat(refusal(job.check())).isEqualTo(RestartRefusal.PRUNE_FAILED);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
    }
    assertThat(patches()).isEmpty();
  }

  /** The client sends the patch again, which then conflicts with itself. */
  @Test
  void aRestartWhoseAnswerIsLostIsTold(ControlPlane controlPlane) throws Exception {
    try (var faulty = FaultyApi.start(controlPlane);
        var client =
            TestCluster.clientAt(faulty.address(), Duration.ofMillis(500), logs.redirect());
        var job = TestOperatorJob.of(settings(""), client, LATER)) {
      var patch = "PATCH /apis/apps/";
      faulty.once(
          request -> request.startsWith(patch),
          faulty.executeAndThen(FaultyApi.refuse(504, "Retry-After", "0")));

      var report = checkTwice(job);

      assertThat(report.refusal()).isNull();
      assertThat(report.restartedAt()).isNotNull();
      assertThat(faulty.requests(patch)).hasSize(2);
    }
  }

  @Test
  void aPrunerThatBreaksOffIsARefusalLikeOneThatCannotList() throws Exception {
    Runnable prune =
        () -> {
          throw new IllegalStateException("a deletion ended unexpectedly");
        };
    try (var client = cluster.clientNamed(agent);
        var job = TestOperatorJob.of(settings(""), client, LATER, prune)) {
      assertThat(refusal(job.check())).isEqualTo(RestartRefusal.PRUNE_FAILED);
      assertThat(job.checks("stuck")).isEqualTo(1);
    }
    assertThat(patches()).isEmpty();
  }

  @Test
  void aStuckOperatorWhoseLogCannotBeReadForAWhileStaysStuckSinceTheFirstTime() throws Exception {
    try (var job = job("", "", "clockTolerance: 1h")) {
      var since = job.check().stuckSince();
      assertThat(since).isNotNull();
      Files.delete(log.file());
      assertThat(job.check())
          .satisfies(
              report -> {
                assertThat(report.diagnosis()).isEqualTo(Diagnosis.Kind.UNREADABLE);
                assertThat(report.detail()).endsWith("was answered 404");
                assertThat(report.stuckSince()).isEqualTo(since);
              });
      log.stuckAt(LATER.instant());
      assertThat(job.check().stuckSince()).isEqualTo(since);
    }
  }

  @Test
  void anOperatorThatMayNotBeReadIsUnreadableAndCounted(ControlPlane controlPlane)
      throws Exception {
    try (var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address());
        var job = TestOperatorJob.of(settings(""), client, LATER)) {
      faulty.always(request -> request.contains("/deployments/"), FaultyApi.refuse(403));
      var report = job.check();
      assertThat(report.diagnosis()).isEqualTo(Diagnosis.Kind.UNREADABLE);
      assertThat(report.detail()).contains("403");
      assertThat(job.checks("unreadable")).isEqualTo(1);
    }
  }

  /** What another replica saw meanwhile is not known here. */
  @Test
  void whoeverLeadsAgainFindsAStuckOperatorAnew() throws Exception {
    try (var job = job("", "", "clockTolerance: 1h")) {
      var since = job.check().stuckSince();
      job.beginTerm();
      goesOnFailing();
      assertThat(job.check().stuckSince()).isAfter(since);
    }
  }

  @Test
  void aCheckThatBreaksOffIsCounted() throws Exception {
    var broken = new AtomicBoolean();
    InstantSource clock =
        () -> {
          if (broken.get()) {
            throw new IllegalStateException("a clock that fails");
          }
          return LATER.instant();
        };
    try (var client = cluster.clientNamed(agent);
        var job = TestOperatorJob.of(settings(""), client, clock)) {
      broken.set(true);
      assertThatExceptionOfType(IllegalStateException.class).isThrownBy(job::check);
      assertThat(job.checks("unreadable")).isEqualTo(1);
    }
  }

  @Test
  void silenceAlertsAndRestartsOnlyWhereItIsArmed() throws Exception {
    log.quietAt(LATER.instant().minus(Duration.ofMinutes(12)));
    cluster.createSession(
        "waits",
        "pending",
        null,
        resource ->
            ((ObjectNode) resource.at("/spec/status/session"))
                .put("startTime", Instant.now().minus(Duration.ofMinutes(11)).toString()));
    try (var job = job("", "")) {
      var report = job.check();
      assertThat(report.silence()).isNotNull();
      assertThat(report.restartReason()).isNull();
      TestCluster.eventually("it is written", () -> !cluster.events().isEmpty());
    }
    assertThat(cluster.events())
        .extracting(event -> event.path("reason").asText())
        .containsExactly("OperatorSilent");
    assertThat(patches()).isEmpty();

    try (var job = job("silence: {armed: true}", "")) {
      job.check();
      var restarted = job.check();
      assertThat(restarted.restartedAt()).isNotNull();
      assertThat(restarted.restartReason()).contains("no line since");
    }
  }

  @Test
  void aRestartThatGitOpsTakesBackWholeIsNoticedByTheNextJanitorTooAndOpensNothing()
      throws Exception {
    try (var job = job("", "")) {
      assertThat(checkTwice(job).restartedAt()).isNotNull();
    }
    cluster.finishRollout();
    cluster.revertRestart();
    try (var job = job("", "")) {
      var report = job.check();
      assertThat(report.result()).isEqualTo(RestartResult.REVERTED);
      assertThat(refusal(report)).isEqualTo(RestartRefusal.COOLDOWN);
      assertThat(job.check().result()).as("told once").isNull();
      TestCluster.eventually(
          "it is written",
          () ->
              cluster.events().stream()
                  .anyMatch(event -> event.path("reason").asText().equals("RestartReverted")));
    }
    assertThat(patches()).as("it, and what it came to").hasSize(2);
  }

  @Test
  void onlyRestartsOfOursAreRememberedAsOurs() throws Exception {
    var theirs = LATER.instant().minus(Duration.ofHours(5)).truncatedTo(ChronoUnit.SECONDS);
    restartByHand(theirs.toString());
    cluster.finishRollout();
    try (var job = job("", "")) {
      var ours = checkTwice(job).restartedAt();
      assertThat(cluster.get(cluster.deployment()).at("/metadata/annotations").toString())
          .contains("\"shipshape.dev/restarts\":\"" + ours + "\"");
    }
  }

  /** It copies all annotations of the ReplicaSet that it goes back to. */
  @Test
  void aRollbackRevivesNoMaintenanceThatIsOver() throws Exception {
    maintenance("true");
    restartByHand(LATER.instant().minus(Duration.ofDays(1)).toString());
    cluster.finishRollout();
    maintenance(null);
    rollBack();
    try (var job = job("", "")) {
      assertThat(refusal(job.check())).isEqualTo(RestartRefusal.NOT_CONFIRMED);
      maintenance("true");
      assertThat(refusal(job.check())).isEqualTo(RestartRefusal.MAINTENANCE);
    }
  }

  /** What is known of ours stays, and what a person does is none of ours. */
  @Test
  void aRestartOfAPersonThatARollbackUndoesIsNotOurs() throws Exception {
    Instant ours;
    try (var job = job("", "")) {
      ours = Objects.requireNonNull(checkTwice(job).restartedAt());
      cluster.finishRollout();
      restartByHand(ours.plusSeconds(60).toString());
      cluster.finishRollout();
      rollBack();
      assertThat(job.check().result()).isNull();
    }
    try (var job = job("", "")) {
      var report = job.check();
      assertThat(report.result()).isNull();
      assertThat(report.restarts())
          .satisfies(restarts -> assertThat(restarts.ours()).containsExactly(ours));
    }
  }

  @Test
  void aRollbackOfOursIsReportedOnceAndByNoJanitorThatOnlyReports() throws Exception {
    try (var job = job("", "")) {
      assertThat(checkTwice(job).restartedAt()).isNotNull();
    }
    cluster.finishRollout();
    rollBack();
    for (var janitor = 0; janitor < 2; janitor++) {
      try (var job = job("", "armed: false")) {
        var report = job.check();
        assertThat(report.result()).isNull();
        assertThat(report.restarts().ours()).as("what annotations forgot").hasSize(1);
      }
    }
    try (var job = job("", "")) {
      assertThat(job.check().result()).isEqualTo(RestartResult.REVERTED);
    }
  }

  private void maintenance(@Nullable String value) {
    cluster.patch(
        cluster.deployment(),
        """
        {"metadata": {"labels": {"shipshape.dev/maintenance": %s}}}
        """
            .formatted(value == null ? null : '"' + value + '"'));
  }

  /** As {@code kubectl rollout undo}: the pod template and the annotations of the one before. */
  private void rollBack() {
    var revision = "deployment.kubernetes.io/revision";
    var client = cluster.client();
    var before =
        client.apps().replicaSets().inNamespace(cluster.namespace()).list().getItems().stream()
            .sorted(
                Comparator.comparing(
                    (ReplicaSet each) ->
                        -Integer.parseInt(each.getMetadata().getAnnotations().get(revision))))
            .skip(1)
            .findFirst()
            .orElseThrow();
    client
        .apps()
        .deployments()
        .inNamespace(cluster.namespace())
        .withName("cray-cfs-operator")
        .edit(
            deployment -> {
              var annotations = new HashMap<>(before.getMetadata().getAnnotations());
              annotations.keySet().removeIf(name -> name.startsWith("deployment.kubernetes.io/"));
              var template = before.getSpec().getTemplate();
              template.getMetadata().getLabels().remove("pod-template-hash");
              deployment.getMetadata().setAnnotations(annotations);
              deployment.getSpec().setTemplate(template);
              return deployment;
            });
    cluster.finishRollout();
  }

  private void restartByHand(String time) {
    cluster.patch(
        cluster.deployment(),
        """
        {"spec": {"template": {"metadata": {"annotations":
          {"kubectl.kubernetes.io/restartedAt": "%s"}}}}}
        """
            .formatted(time));
  }

  /** Where old ReplicaSets are not kept either, the living janitor itself remembers. */
  @Test
  void aRestartThatIsTakenBackAndLeavesNoReplicaSetIsStillRemembered() throws Exception {
    cluster.patch(cluster.deployment(), "{\"spec\": {\"revisionHistoryLimit\": 0}}");
    cluster.finishRollout();
    try (var job = job("", "cooldown: 2m, perHour: 1")) {
      assertThat(checkTwice(job).restartedAt()).isNotNull();
      cluster.finishRollout();
      cluster.revertRestart();
      var report = job.check();
      assertThat(report.result()).isEqualTo(RestartResult.REVERTED);
      assertThat(refusal(report)).isEqualTo(RestartRefusal.COOLDOWN);
    }
  }

  /** Some tools write the time without an offset, and mean UTC. */
  @ParameterizedTest
  @ValueSource(strings = {"%s", "%s.123456"})
  void aRestartByAToolThatWritesNaiveTimesTakesNothingBack(String written) throws Exception {
    try (var job = job("", "cooldown: 2m")) {
      assertThat(checkTwice(job).restartedAt()).isNotNull();
      cluster.finishRollout();
      var later = LATER.instant().plusSeconds(1).truncatedTo(ChronoUnit.SECONDS).toString();
      restartByHand(written.formatted(later.replace("Z", "")));
      cluster.finishRollout();
      var report = job.check();
      assertThat(report.result()).isNull();
      assertThat(refusal(report)).isEqualTo(RestartRefusal.COOLDOWN);
    }
  }

  /** Two checks of an operator whose watches go on failing. */
  private OperatorReport checkTwice(TestOperatorJob job) throws IOException {
    job.check();
    goesOnFailing();
    return job.check();
  }

  private void goesOnFailing() throws IOException {
    TestJanitors.awaitNextMillisecond();
    log.stuckAt(LATER.instant());
  }

  private static Instant minutesBeforeLater(int minutes) {
    return LATER.instant().minus(Duration.ofMinutes(minutes)).truncatedTo(ChronoUnit.SECONDS);
  }

  private void containerIs(String status) {
    var pod = cluster.names(cluster.path("pods")).getFirst();
    cluster.patch(
        cluster.path("pods/" + pod + "/status"),
        """
        {"status": {"containerStatuses": [
          {"name": "cray-cfs-operator", "image": "i", "imageID": "i", "ready": true,
           "restartCount": 1, %s}]}}
        """
            .formatted(status));
  }

  private TestOperatorJob job(String operator, String restart) throws Exception {
    return job(operator, restart, "");
  }

  private TestOperatorJob job(String operator, String restart, String prune) throws Exception {
    var client = cluster.clientNamed(agent);
    open.add(client);
    var settings = TestOperatorJob.settings(cluster.namespace(), operator, restart, prune);
    return TestOperatorJob.of(settings, client, LATER);
  }

  private JanitorSettings settings(String prune) throws Exception {
    return TestOperatorJob.settings(cluster.namespace(), "", "", prune);
  }

  private static RestartRefusal refusal(OperatorReport report) {
    return Objects.requireNonNull(report.refusal());
  }

  private List<JsonNode> patches() {
    return cluster.audited(
        agent,
        event ->
            event.path("verb").asText().equals("patch")
                && event.at("/objectRef/resource").asText().equals("deployments"));
  }
}
