package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.operator.Aftermath;
import dev.shipshape.janitor.operator.OperatorLogText;
import dev.shipshape.janitor.operator.OperatorLogText.Quotes;
import dev.shipshape.janitor.operator.Refusal;
import dev.shipshape.janitor.operator.RestartOutcome;
import dev.shipshape.janitor.prune.Deletion;
import dev.shipshape.janitor.prune.Intent;
import dev.shipshape.janitor.prune.Journal;
import dev.shipshape.janitor.prune.LineJournal;
import dev.shipshape.janitor.prune.Outcome;
import dev.shipshape.janitor.prune.PruneReport.Ending;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class JanitorTest {
  private static final Clock CLOCK = Clock.systemUTC();

  /** The Deployment of a test has just been made, which starts the cooldown: so look later. */
  private static final InstantSource LATER = Clock.offset(CLOCK, Duration.ofMinutes(20));

  @TempDir Path folder;
  private TestCluster cluster;
  private String agent;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ByteArrayOutputStream records = new ByteArrayOutputStream();

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) {
    cluster = new TestCluster(controlPlane, names.namespace("janitor"));
    agent = names.name("agent");
    open.add(cluster);
  }

  @AfterEach
  void close() throws Exception {
    for (var part : open.reversed()) {
      part.close();
    }
  }

  @Test
  void exactlyTheAgedCompleteSessionsGoAndEachWithOneRequest() throws Exception {
    var expected = createTwoHundredSessions();
    var before = new TreeSet<>(cluster.names(cluster.sessions()));

    var reporting = start(false, false);
    var reported = reporting.prune();
    assertThat(reported.ending()).isEqualTo(Ending.REPORTED);
    assertThat(reported.plan().entries())
        .extracting(entry -> entry.session().name())
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(cluster.names(cluster.sessions())).hasSize(before.size());
    assertThat(writes()).as("it only reports").isEmpty();
    reporting.close();

    var report = start(true, false).prune();
    assertThat(report.ending()).isEqualTo(Ending.DONE);
    assertThat(report.count(Outcome.Gone.class)).isEqualTo(expected.size());
    before.removeAll(expected);
    assertThat(cluster.names(cluster.sessions())).containsExactlyElementsOf(before);
    assertThat(writes()).hasSize(expected.size());
    assertThat(recorded())
        .as("one record each")
        .hasSize(expected.size())
        .allSatisfy(
            record -> {
              assertThat(record.path("result").asText()).isEqualTo("gone");
              assertThat(record.path("rule").asText()).isEqualTo("complete-aged");
              assertThat(record.path("uid").asText()).hasSize(36);
              assertThat(record.path("ageSeconds").asLong()).isGreaterThan(7 * 24 * 3600);
            })
        .extracting(record -> record.path("object").asText())
        .containsExactlyInAnyOrderElementsOf(
            expected.stream().map(name -> cluster.namespace() + "/" + name).toList());
    assertThat(counter("deletions", "result", "gone")).isEqualTo(expected.size());
  }

  @Test
  void aStuckOperatorIsRestartedOnceAfterPruningAndTheCooldownRefusesTheSecondTime()
      throws Exception {
    cluster.createOperator();
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    var stuckSince = LATER.instant();
    writeLog(stuckSince);
    var janitor = startLater(true, true);

    var report = janitor.checkOperator();
    assertThat(report.restart()).isInstanceOf(RestartOutcome.Restarted.class);
    assertThat(report.pruned().orElseThrow().count(Outcome.Gone.class)).isEqualTo(1);

    var deployment = cluster.get(cluster.deployment());
    var restartedAt = ((RestartOutcome.Restarted) report.restart()).at().toString();
    assertThat(annotation(deployment.at("/spec/template"), "kubectl.kubernetes.io/restartedAt"))
        .isEqualTo(restartedAt)
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    assertThat(annotation(deployment, "shipshape.dev/restarts")).isEqualTo(restartedAt);
    assertThat(annotation(deployment, "shipshape.dev/restart-count")).isEqualTo("1");
    assertThat(annotation(deployment, "shipshape.dev/restart-reason"))
        .startsWith("5 watch failures from ");
    assertThat(writes())
        .as("pruned first, then one patch")
        .extracting(event -> event.path("verb").asText())
        .containsExactly("delete", "patch");
    assertThat(writes().getLast().at("/requestObject/metadata/resourceVersion").asText())
        .as("only as it was judged")
        .isNotEmpty();

    cluster.finishRollout();
    var again = janitor.checkOperator();
    assertThat(((RestartOutcome.Refused) again.restart()).reason()).isEqualTo(Refusal.COOLDOWN);
    assertThat(again.pruned()).isEmpty();
    janitor.close();

    var reborn = startLater(true, true).checkOperator();
    assertThat(((RestartOutcome.Refused) reborn.restart()).reason())
        .as("what is remembered is in the cluster, not in the process")
        .isEqualTo(Refusal.COOLDOWN);
    assertThat(cluster.names(replicaSets())).hasSize(2);
    assertThat(counter("restarts", "outcome", "restarted")).isEqualTo(1);
  }

  /** Only the operator removes Jobs, and it is stuck. */
  @Test
  void aRunThatWaitsForJobsAloneDoesNotHoldARestartUp() throws Exception {
    cluster.createOperator();
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    var jobs = "/apis/batch/v1/namespaces/" + cluster.namespace() + "/jobs";
    cluster.create(
        jobs,
        """
        {"apiVersion": "batch/v1", "kind": "Job",
         "metadata": {"name": "leaked", "labels": {"cfsession": "%s"}},
         "spec": {"template": {"spec": {"restartPolicy": "Never",
          "containers": [{"name": "ansible", "image": "example.com/ansible"}]}}}}
        """
            .formatted(batcher(1)));
    writeLog(LATER.instant());
    var janitor = startLater(true, true);
    var running = CompletableFuture.supplyAsync(janitor::prune, Thread.ofVirtual()::start);
    TestCluster.eventually(
        "it waits for the Job",
        () ->
            !cluster
                    .audited(
                        agent, event -> event.path("requestURI").asText().contains("/jobs?limit="))
                    .isEmpty()
                && cluster.names(cluster.sessions()).isEmpty());

    var begin = System.nanoTime();
    assertThat(janitor.checkOperator().restart()).isInstanceOf(RestartOutcome.Restarted.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
    assertThat(running.get(30, TimeUnit.SECONDS).deletions())
        .singleElement()
        .satisfies(deletion -> assertThat(deletion.outcome().detail()).startsWith("job leaked: "));
    assertThat(cluster.names(jobs)).containsExactly("leaked");
  }

  @Test
  void anOperatorThatHasJustBeenStartedByAnybodyIsLeftAlone() throws Exception {
    cluster.createOperator();
    writeLog(CLOCK.instant());
    var report = start(false, true).checkOperator();
    assertThat(((RestartOutcome.Refused) report.restart()).reason()).isEqualTo(Refusal.COOLDOWN);
  }

  @Test
  void theCooldownHoldsWhereSomethingRevertsTheAnnotations() throws Exception {
    cluster.createOperator();
    writeLog(LATER.instant());
    var janitor = startLater(false, true);
    assertThat(janitor.checkOperator().restart()).isInstanceOf(RestartOutcome.Restarted.class);
    cluster.finishRollout();
    cluster.patch(
        cluster.deployment(),
        """
        {"metadata": {"annotations": {"shipshape.dev/restarts": null,
          "shipshape.dev/restart-count": null, "shipshape.dev/restart-reason": null}},
         "spec": {"template": {"metadata": {"annotations":
          {"kubectl.kubernetes.io/restartedAt": null}}}}}
        """);
    cluster.finishRollout();

    var again = janitor.checkOperator();
    assertThat(((RestartOutcome.Refused) again.restart()).reason()).isEqualTo(Refusal.COOLDOWN);
  }

  @Test
  void whoeverRevertsARestartIsNoticed() throws Exception {
    cluster.createOperator();
    writeLog(LATER.instant());
    var janitor = startLater(false, true);
    assertThat(janitor.checkOperator().restart()).isInstanceOf(RestartOutcome.Restarted.class);
    assertThat(janitor.checkOperator().aftermath()).as("still rolling out").isEmpty();
    cluster.patch(
        cluster.deployment(),
        """
        {"spec": {"template": {"metadata": {"annotations":
          {"kubectl.kubernetes.io/restartedAt": null}}}}}
        """);
    assertThat(janitor.checkOperator().aftermath()).contains(Aftermath.REVERTED);
    assertThat(janitor.checkOperator().aftermath()).as("told once").isEmpty();
    assertThat(counter("restart.aftermaths", "result", "reverted")).isEqualTo(1);
  }

  @Test
  void restartsAndPruningAreArmedOneByOne() throws Exception {
    cluster.createOperator();
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    writeLog(LATER.instant());

    var report = startLater(true, false).checkOperator();
    assertThat(((RestartOutcome.Refused) report.restart()).reason()).isEqualTo(Refusal.NOT_ARMED);
    assertThat(writes()).isEmpty();
    open.removeLast().close();

    var restarting = startLater(false, true).checkOperator();
    assertThat(restarting.restart()).isInstanceOf(RestartOutcome.Restarted.class);
    assertThat(restarting.pruned().orElseThrow().ending()).isEqualTo(Ending.REPORTED);
    assertThat(cluster.names(cluster.sessions())).containsExactly(batcher(1));
  }

  @Test
  void onlyTheLeaderActsAndItGivesTheLeaseUpWhenItEnds() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    var leader = start(true, false);
    var other = startWithoutWaiting(true, false, cluster.clientNamed("other"), CLOCK);
    assertThat(other.prune().ending()).isEqualTo(Ending.INTERRUPTED);
    assertThat(cluster.names(cluster.sessions())).containsExactly(batcher(1));
    assertThat(leaseHolder()).isNotEmpty();

    leader.close();
    assertThat(leader.prune().count(Outcome.Gone.class)).as("it has ended").isZero();
    assertThat(other.awaitLeadership(Duration.ofSeconds(10))).as("long before 15 s").isTrue();
    assertThat(other.prune().count(Outcome.Gone.class)).isEqualTo(1);
    other.close();
    assertThat(leaseHolder()).isEmpty();
    assertThat(cluster.names(leases())).containsExactly("shipshape-janitor");
  }

  @Test
  void missingRightsLeaveItIdleAndAreCountedUntilTheyAreGranted() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    var powerless = cluster.clientOf("powerless");
    startWithoutWaiting(true, true, powerless, CLOCK);
    TestCluster.eventually(
        "the missing rights are counted",
        () ->
            missing("prune") == 8.0 && missing("check-operator") == 4.0 && missing("lead") == 4.0);
    assertThat(cluster.names(cluster.sessions())).containsExactly(batcher(1));
  }

  @Test
  void bothTasksAreStartedByTheirTimes() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    var janitor =
        Janitor.start(
            everySecond("none.log"), cluster.clientNamed(agent), CLOCK, registry, (_, _) -> {});
    open.add(janitor);
    TestCluster.eventually(
        "it prunes by itself", () -> cluster.names(cluster.sessions()).isEmpty());
    TestCluster.eventually(
        "it checks by itself", () -> counter("operator.checks", "diagnosis", "unreadable") >= 2);
  }

  @Test
  void aRunAndACheckThatRunOutOfMemoryFailAndTheNextOnesGoOn() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    Files.createFile(folder.resolve("operator.log"));
    var shortOfMemory =
        new Journal() {
          private final AtomicBoolean first = new AtomicBoolean(true);

          @Override
          public void record(String run, Deletion deletion) {}

          @Override
          public List<Intent> unfinished() {
            if (first.getAndSet(false)) {
              throw new OutOfMemoryError("in a run");
            }
            return List.of();
          }
        };
    var examined = new AtomicBoolean();
    InstantSource clock =
        () -> {
          if (isCalledBy("Examination") && !examined.getAndSet(true)) {
            throw new OutOfMemoryError("in a check");
          }
          return CLOCK.instant();
        };
    var client = cluster.clientNamed(agent);
    open.add(client);
    open.add(Janitor.start(everySecond("operator.log"), client, clock, registry, shortOfMemory));

    TestCluster.eventually("a later run prunes", () -> cluster.names(cluster.sessions()).isEmpty());
    TestCluster.eventually(
        "a later check looks", () -> counter("operator.checks", "diagnosis", "healthy") >= 1);
    assertThat(counter("prune.runs", "ending", "failed")).isEqualTo(1);
    assertThat(counter("operator.checks", "diagnosis", "unreadable")).isEqualTo(1);
  }

  private static boolean isCalledBy(String type) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("." + type)));
  }

  @Test
  void wrongSettingsLeaveItIdleAndSaySo() {
    Janitor.idle(List.of("janitor.yaml:3: prune.olderThan: not a duration"), registry);
    assertThat(registry.scrape())
        .contains("shipshape_janitor_settings_valid 0.0")
        .contains("shipshape_janitor_armed{task=\"prune\"} 0.0")
        .contains("shipshape_janitor_leader 0.0")
        .contains("shipshape_janitor_rights_missing{task=\"lead\"} 0.0")
        .contains("shipshape_janitor_rights_missing{task=\"prune\"} 0.0")
        .contains("shipshape_janitor_rights_missing{task=\"check-operator\"} 0.0")
        .contains("shipshape_janitor_rights_missing{task=\"search-evidence\"} 0.0")
        .contains("shipshape_janitor_rights_missing{task=\"write-events\"} 0.0");
  }

  @Test
  void everyCounterIsThereFromTheStartWithZero() {
    Janitor.idle(List.of(), registry);
    assertThat(registry.scrape())
        .contains("shipshape_janitor_deletions_total{result=\"gone\"} 0.0")
        .contains("shipshape_janitor_prune_runs_total{ending=\"failed\"} 0.0")
        .contains("shipshape_janitor_restarts_total{outcome=\"restarted\"} 0.0")
        .contains("shipshape_janitor_restart_refusals_total{reason=\"cooldown\"} 0.0")
        .contains("shipshape_janitor_detections_total 0.0")
        .contains("shipshape_janitor_prune_last_success_timestamp_seconds 0.0");
  }

  /** Some of every kind; returns the names of those that must go. */
  private Set<String> createTwoHundredSessions() {
    var random = new Random(20261121);
    var states = List.of("complete", "complete", "complete", "running", "pending", "Complete");
    var expected = new TreeSet<String>();
    for (var i = 0; i < 200; i++) {
      var state = states.get(random.nextInt(states.size()));
      var name = random.nextInt(4) == 0 ? "boa-" + batcher(i).substring(8) : batcher(i);
      var days = random.nextInt(14);
      var keep = random.nextInt(8) == 0;
      cluster.createSession(
          name,
          state,
          CLOCK.instant().minus(Duration.ofDays(days)).minusSeconds(60).toString(),
          resource ->
              ((ObjectNode) resource.path("metadata"))
                  .putObject("annotations")
                  .put("shipshape.dev/keep", keep ? "true" : "false"));
      if (name.startsWith("batcher-") && state.equals("complete") && days >= 7 && !keep) {
        expected.add(name);
      }
    }
    assertThat(expected).as("a test that means something").hasSizeBetween(20, 80);
    return expected;
  }

  private JanitorSettings everySecond(String log) throws BadSettings {
    return SettingsReader.parse(
        "janitor.yaml",
        """
        apiVersion: shipshape.dev/v1
        sessions: {namespace: %1$s}
        prune: {armed: true, schedule: "0/1 * * * * ?"}
        operator: {namespace: %1$s, logFile: %2$s/%3$s, checkEvery: 1s}
        """
            .formatted(cluster.namespace(), folder, log),
        JanitorSettings::from);
  }

  private Janitor start(boolean pruneArmed, boolean restartArmed) throws Exception {
    return start(pruneArmed, restartArmed, CLOCK);
  }

  private Janitor startLater(boolean pruneArmed, boolean restartArmed) throws Exception {
    return start(pruneArmed, restartArmed, LATER);
  }

  private Janitor start(boolean pruneArmed, boolean restartArmed, InstantSource clock)
      throws Exception {
    var janitor = startWithoutWaiting(pruneArmed, restartArmed, cluster.clientNamed(agent), clock);
    assertThat(janitor.awaitLeadership(Duration.ofSeconds(20))).isTrue();
    return janitor;
  }

  private Janitor startWithoutWaiting(
      boolean pruneArmed, boolean restartArmed, KubernetesClient client, InstantSource clock)
      throws BadSettings {
    var onlyWhenAsked =
        """
        apiVersion: shipshape.dev/v1
        sessions: {namespace: %1$s}
        prune: {armed: %2$s, clockTolerance: 1h, schedule: "0 0 0 1 1 ? 2099", deletesPerSecond: 1000}
        operator: {namespace: %1$s, logFile: %4$s/operator.log, checkEvery: 1w}
        restart: {armed: %3$s}
        """
            .formatted(cluster.namespace(), pruneArmed, restartArmed, folder);
    var journal = new LineJournal(new PrintStream(records, true, StandardCharsets.UTF_8), CLOCK);
    var janitor =
        Janitor.start(
            SettingsReader.parse("janitor.yaml", onlyWhenAsked, JanitorSettings::from),
            client,
            clock,
            registry,
            journal);
    open.add(client);
    open.add(janitor);
    return janitor;
  }

  private void writeLog(Instant last) throws IOException {
    var log = new OperatorLogText(false, Quotes.TWICE);
    var text = new StringBuilder();
    for (var i = 4; i >= 0; i--) {
      text.append(log.failure(last.minusSeconds(i), "id-" + i));
    }
    Files.writeString(folder.resolve("operator.log"), text);
  }

  /** The janitor's own writes, the Lease's and questions about rights left out. */
  private List<JsonNode> writes() {
    return cluster.audited(
        agent,
        event ->
            List.of("delete", "deletecollection", "patch", "update", "create")
                    .contains(event.path("verb").asText())
                && !List.of("leases", "events").contains(event.at("/objectRef/resource").asText())
                && !event.at("/objectRef/apiGroup").asText().equals("authorization.k8s.io"));
  }

  private List<JsonNode> recorded() {
    return records.toString(StandardCharsets.UTF_8).lines().map(TestCluster::json).toList();
  }

  private double counter(String name, String tag, String value) {
    return registry.get("shipshape.janitor." + name).tags(Tags.of(tag, value)).counter().count();
  }

  private double missing(String task) {
    return registry.get("shipshape.janitor.rights.missing").tag("task", task).gauge().value();
  }

  private String leaseHolder() {
    return cluster.get(leases() + "/shipshape-janitor").at("/spec/holderIdentity").asText("");
  }

  private String leases() {
    return "/apis/coordination.k8s.io/v1/namespaces/" + cluster.namespace() + "/leases";
  }

  private String replicaSets() {
    return "/apis/apps/v1/namespaces/" + cluster.namespace() + "/replicasets";
  }

  private static String annotation(JsonNode object, String name) {
    return object.path("metadata").path("annotations").path(name).asText();
  }

  private static String daysAgo(int days) {
    return CLOCK.instant().minus(Duration.ofDays(days)).toString();
  }

  private static String batcher(int number) {
    return "batcher-%08x-0000-4000-8000-%012x".formatted(number, number);
  }
}
