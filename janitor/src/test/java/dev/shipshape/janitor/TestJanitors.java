package dev.shipshape.janitor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.BadSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Janitors in a namespace of their own, and what they have done: asked for, recorded, counted. */
final class TestJanitors implements AutoCloseable {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);

  static final String OPERATOR = "cray-cfs-operator";
  static final Clock CLOCK = Clock.systemUTC();

  /** The Deployment of a test has just been made, which starts the cooldown: so look later. */
  static final Clock LATER = Clock.offset(CLOCK, Duration.ofMinutes(20));

  static final String ONLY_WHEN_ASKED = "clockTolerance: 1h, schedule: \"0 0 0 1 1 ? 2099\", ";

  private final TestCluster cluster;
  private final String agent;
  private final Path folder;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<String> records = new CopyOnWriteArrayList<>();
  private final List<Runnable> ends = new ArrayList<>();

  TestJanitors(ControlPlane controlPlane, UniqueNames names, Path folder) throws IOException {
    this.cluster = new TestCluster(controlPlane, names.namespace("janitor"));
    this.agent = names.name("agent");
    this.folder = folder;
    ends.add(cluster::close);
    var logs = LogServer.start(folder);
    ends.add(logs::close);
    cluster.logsFrom(logs.redirect());
  }

  TestCluster cluster() {
    return cluster;
  }

  /** The user agent of those that have no client of their own. */
  String agent() {
    return agent;
  }

  /** One that leads. */
  Janitor start(boolean pruneArmed, boolean restartArmed) throws Exception {
    return start(pruneArmed, restartArmed, CLOCK);
  }

  Janitor startLater(boolean pruneArmed, boolean restartArmed) throws Exception {
    return start(pruneArmed, restartArmed, LATER);
  }

  /** The settings' entry of the operator of CFS, in a namespace of the test's. */
  static String operator(String namespace, String more) {
    return "{name: %1$s, namespace: %2$s, container: %1$s, signature: cfs-1.3, ownsSessions: true%3$s}"
        .formatted(OPERATOR, namespace, more.isEmpty() ? "" : ", " + more);
  }

  private Janitor start(boolean pruneArmed, boolean restartArmed, InstantSource clock)
      throws Exception {
    return leading(
        startWithoutWaiting(pruneArmed, restartArmed, cluster.clientNamed(agent), clock));
  }

  Janitor startWithoutWaiting(
      boolean pruneArmed, boolean restartArmed, KubernetesClient client, InstantSource clock)
      throws BadSettings {
    return start(
        ONLY_WHEN_ASKED + "armed: " + pruneArmed,
        "checkEvery: 2m, armed: " + restartArmed,
        operator(cluster.namespace(), ""),
        client,
        clock);
  }

  /** One that leads, later, and prunes no more than that share of all sessions. */
  Janitor startWithLimit(int maxPercent) throws Exception {
    return startLater("maxPercent: " + maxPercent, operator(cluster.namespace(), ""));
  }

  /** One that leads, later, and looks after these operators, armed. */
  Janitor startWithOperators(String... entries) throws Exception {
    return startLater("", String.join(", ", entries));
  }

  private Janitor startLater(String prune, String operators) throws Exception {
    return leading(
        start(
            ONLY_WHEN_ASKED + "armed: true, " + prune,
            "checkEvery: 2m, armed: true",
            operators,
            cluster.clientNamed(agent),
            LATER));
  }

  /** One that prunes, by these fields too, and checks by itself. */
  Janitor startEverySecond(String prune, KubernetesClient client, InstantSource clock)
      throws BadSettings {
    return start(
        "armed: true, clockTolerance: 1h, schedule: \"0/1 * * * * ?\", " + prune,
        "checkEvery: 1s",
        operator(cluster.namespace(), ""),
        client,
        clock);
  }

  /** One by these fields of its settings. */
  Janitor start(
      String prune, String restart, String operators, KubernetesClient client, InstantSource clock)
      throws BadSettings {
    ends.add(client::close);
    var settings =
        """
        apiVersion: shipshape.dev/v1
        sessions: {namespace: %s, source: custom-resources}
        prune: {%s}
        operators: [%s]
        restart: {%s}
        """
            .formatted(cluster.namespace(), prune, operators, restart);
    var parsed = JanitorSettings.parse("janitor.yaml", settings);
    var janitor = Janitor.start(parsed, client, clock, registry, records::add);
    ends.add(janitor::close);
    return janitor;
  }

  private static Janitor leading(Janitor janitor) {
    TestCluster.eventually("it leads", janitor::isLeader);
    return janitor;
  }

  /** Writes the log of an operator that is not CFS's: one line each second up to a time. */
  void writeLog(String operator, String line, int times, Instant last) throws IOException {
    var text = new StringBuilder();
    for (var i = times - 1; i >= 0; i--) {
      text.append(TIME.format(last.minusSeconds(i))).append(" ERROR ").append(line).append('\n');
    }
    Files.writeString(folder.resolve(operator + ".log"), text);
  }

  /** What a stuck operator logs. */
  void writeLog(Instant last) throws IOException {
    new OperatorLogFile(folder.resolve(OPERATOR + ".log")).stuckAt(last);
  }

  /** Two checks of an operator whose watches go on failing. */
  OperatorReport checkTwice(Janitor janitor) throws IOException {
    janitor.checkOperator(OPERATOR);
    goOnFailing();
    return janitor.checkOperator(OPERATOR);
  }

  void goOnFailing() throws IOException {
    awaitNextMillisecond();
    writeLog(LATER.instant());
  }

  /** So that what is logged next is later in a log, whose times are in milliseconds. */
  static void awaitNextMillisecond() {
    var before = LATER.instant();
    TestCluster.eventually(
        "time goes on", () -> LATER.instant().isAfter(before.plus(Duration.ofMillis(2))));
  }

  /** Their own writes, the Lease's, Events and the status left out. */
  List<JsonNode> writes() {
    return cluster.audited(
        agent,
        event ->
            List.of("delete", "deletecollection", "patch", "update", "create")
                    .contains(event.path("verb").asText())
                && !List.of("leases", "events", "configmaps")
                    .contains(event.at("/objectRef/resource").asText()));
  }

  List<JsonNode> recorded() {
    return records.stream()
        .map(TestCluster::json)
        .filter(record -> !record.path("event").asText().equals("begin"))
        .toList();
  }

  double counter(String name, String tag, String value) {
    return registry.get("shipshape.janitor." + name).tags(Tags.of(tag, value)).counter().count();
  }

  /** Of all with that name. */
  double gauges(String name) {
    return registry.get("shipshape.janitor." + name).gauges().stream()
        .mapToDouble(Gauge::value)
        .sum();
  }

  static String daysAgo(int days) {
    return CLOCK.instant().minus(Duration.ofDays(days)).toString();
  }

  @Override
  public void close() {
    ends.reversed().forEach(Runnable::run);
  }
}
