package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.PodLog;
import dev.shipshape.janitor.restart.OperatorLogText.Quotes;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(ControlPlaneExtension.class)
class PodLogsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Signature SIGNATURE = Signature.shipped("cfs-1.3");
  private static final String OPERATOR = "cray-cfs-operator";

  private final OperatorLogText log = new OperatorLogText(false, Quotes.TWICE);
  private TestCluster cluster;
  private StandInKubelet kubelet;
  private String node;
  private PodLogs logs;
  private String owned;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws IOException {
    cluster = new TestCluster(controlPlane, names.namespace("logs"));
    kubelet = StandInKubelet.start();
    node = names.name("node");
    kubelet.register(cluster, node);
    logs = logs(OPERATOR);
    owned = cluster.operatorWithoutPods();
    TestCluster.eventually(
        "pods may be created",
        () -> cluster.names(cluster.path("serviceaccounts")).contains("default"));
  }

  @AfterEach
  void close() {
    kubelet.close();
    cluster.close();
  }

  @Test
  void theOperatorsContainerIsReadAndNotTheProxyBesideIt() {
    createPod("one", "{\"running\": {}}", "{}");
    fail("one", OPERATOR, false, 5, 60);
    fail("one", "istio-proxy", false, 50, 60);
    assertThat(diagnoses()).containsExactly(Diagnosis.stuck(5, ago(60), ago(56)));
    assertThat(kubelet.queries)
        .singleElement()
        .asString()
        .contains("sinceTime=2026-11-21T11%3A58%3A00Z")
        .contains("timestamps=true");
  }

  @Test
  void afterACrashThePreviousContainersLogBelongsToIt() {
    createPod("one", "{\"running\": {}}", "{\"terminated\": {\"exitCode\": 1}}");
    fail("one", OPERATOR, true, 3, 60);
    fail("one", OPERATOR, false, 2, 30);
    assertThat(diagnoses()).containsExactly(Diagnosis.stuck(5, ago(60), ago(29)));
  }

  @Test
  void aPreviousContainerThatIsClearedAwayVoidsNothing() {
    createPod("one", "{\"running\": {}}", "{\"terminated\": {\"exitCode\": 1}}");
    fail("one", OPERATOR, false, 2, 30);
    assertThat(diagnoses()).containsExactly(Diagnosis.failing(2));
  }

  @Test
  void anErrorOfTheLogsProxyIsNoEvidence() {
    createPod("one", "{\"running\": {}}", "{}");
    fail("one", OPERATOR, false, 50, 60);
    kubelet.close();
    assertThat(diagnoses())
        .singleElement()
        .satisfies(
            each -> assertThat(each.kind()).isEqualTo(Diagnosis.Kind.UNREADABLE),
            each -> assertThat(each.detail()).startsWith("pod one: GET /api/v1/"));
  }

  @Test
  void aPodWhoseLogCannotBeReadHidesNoOther() {
    createPod("gone", "{\"running\": {}}", "{}");
    createPod("stuck", "{\"running\": {}}", "{}");
    fail("stuck", OPERATOR, false, 5, 60);
    assertThat(diagnoses())
        .satisfiesExactly(
            first ->
                assertThat(first).extracting(Diagnosis::kind).isEqualTo(Diagnosis.Kind.UNREADABLE),
            second ->
                assertThat(second).extracting(Diagnosis::kind).isEqualTo(Diagnosis.Kind.STUCK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Failed", "Succeeded"})
  void aPodThatHasEndedIsNotAskedForItsLog(String phase) {
    createPod("evicted", "{\"terminated\": {\"exitCode\": 137}}", "{}");
    cluster.patch(
        cluster.path("pods/evicted/status"), "{\"status\": {\"phase\": \"%s\"}}".formatted(phase));
    createPod("one", "{\"running\": {}}", "{}");
    fail("one", OPERATOR, false, 3, 60);
    assertThat(diagnoses()).containsExactly(Diagnosis.failing(3));
  }

  @Test
  void aLogThatNeverEndsIsUnreadableInTime() {
    createPod("one", "{\"running\": {}}", "{}");
    fail("one", OPERATOR, false, 50, 60);
    kubelet.stall("one", OPERATOR);
    logs = logs(OPERATOR, Duration.ofSeconds(1));
    assertThat(diagnoses())
        .singleElement()
        .satisfies(
            each -> assertThat(each.kind()).isEqualTo(Diagnosis.Kind.UNREADABLE),
            each -> assertThat(each.detail()).contains("did not end within PT1S"));
  }

  @Test
  void aKubeletThatNeverAnswersKeepsNoConnectionOpen(ControlPlane controlPlane) {
    createPod("one", "{\"running\": {}}", "{}");
    fail("one", OPERATOR, false, 50, 60);
    kubelet.hang("one", OPERATOR);
    logs = logs(OPERATOR, Duration.ofMillis(50));
    var before = connections(controlPlane);
    for (var i = 0; i < 60; i++) {
      assertThat(diagnoses())
          .singleElement()
          .satisfies(each -> assertThat(each.detail()).contains("did not end within PT0.05S"));
    }
    TestCluster.eventually("they are closed", () -> connections(controlPlane) < before + 30);
  }

  /** The number of established connections to the API server, of all processes. */
  private static long connections(ControlPlane controlPlane) {
    var port = ":%04X 01".formatted(controlPlane.server().getPort());
    // The second is not there without IPv6.
    return Stream.of("/proc/self/net/tcp", "/proc/self/net/tcp6")
        .map(Path::of)
        .filter(Files::exists)
        .flatMap(table -> lines(table).stream())
        .filter(line -> line.contains(port))
        .count();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aLogWithoutALineOfTheContainerIsUnreadable() {
    createPod("one", "{\"running\": {}}", "{}");
    kubelet.log("one", OPERATOR, false, NOW.minusSeconds(3600), "old");
    kubelet.notice("one", OPERATOR, "unable to retrieve container logs for containerd://0123");
    assertThat(diagnoses())
        .singleElement()
        .satisfies(
            each -> assertThat(each.kind()).isEqualTo(Diagnosis.Kind.UNREADABLE),
            each -> assertThat(each.detail()).contains("no line has a time of the kubelet"));
  }

  @Test
  void whatTheKubeletSaysItselfIsNoLineOfTheLog() {
    createPod("one", "{\"running\": {}}", "{}");
    fail("one", OPERATOR, false, 4, 60);
    kubelet.notice("one", OPERATOR, log.traceback("kubelet") + "failed to watch: 500");
    assertThat(diagnoses()).containsExactly(Diagnosis.failing(4));
  }

  @Test
  void aRestartOfTheContainerMovesLinesButCountsNoneTwice() {
    createPod("one", "{\"running\": {}}", "{}");
    fail("one", OPERATOR, false, 4, 60);
    assertThat(diagnoses()).containsExactly(Diagnosis.failing(4));
    kubelet.restart("one", OPERATOR);
    state("one", "{\"running\": {}}", "{\"terminated\": {\"exitCode\": 1}}");
    assertThat(diagnoses()).containsExactly(Diagnosis.failing(4));
    fail("one", OPERATOR, false, 1, 20);
    assertThat(diagnoses()).containsExactly(Diagnosis.stuck(5, ago(60), ago(20)));
  }

  /** It crashes between our two requests: then the kubelet shows one instance's log for both. */
  @Test
  void oneLogThatIsShownTwiceIsCountedOnce() {
    createPod("one", "{\"running\": {}}", "{\"terminated\": {\"exitCode\": 1}}");
    fail("one", OPERATOR, true, 3, 60);
    fail("one", OPERATOR, false, 3, 60);
    assertThat(diagnoses()).containsExactly(Diagnosis.failing(3));
  }

  @Test
  void aContainerThatWaitsToStartAgainShowsItsLastLogOnce() {
    createPod(
        "one",
        "{\"waiting\": {\"reason\": \"CrashLoopBackOff\"}}",
        "{\"terminated\": {\"exitCode\": 1}}");
    kubelet.log("one", OPERATOR, false, ago(70), "it begins, and proves nothing");
    assertThat(diagnoses())
        .containsExactly(Diagnosis.unreadable("pod one: its container waits: CrashLoopBackOff"));
    fail("one", OPERATOR, false, 3, 60);
    assertThat(diagnoses()).containsExactly(Diagnosis.failing(3));
    assertThat(kubelet.queries).noneMatch(query -> query.contains("previous"));
  }

  @Test
  void anOperatorThatIsScaledToNothingIsSaidToBe() {
    assertThat(diagnoses()).containsExactly(Diagnosis.unreadable("it has 0 replicas"));
  }

  @Test
  void aContainerOfAnotherNameIsSaidAndNotGuessed() {
    createPod("one", "{\"running\": {}}", "{}");
    logs = logs("cfs-operator");
    assertThat(diagnoses())
        .containsExactly(
            Diagnosis.unreadable(
                "no pod of deployment %s/cray-cfs-operator has a container cfs-operator; containers there: [cray-cfs-operator, istio-proxy]"
                    .formatted(cluster.namespace())));
    assertThat(kubelet.queries).isEmpty();
  }

  @Promise(
      value = "Only the logs of pods that the workload owns count.",
      breaks = "Finding pods by label.")
  @Test
  void aStrangersPodWithTheOperatorsLabelsSaysNothing() {
    createPod("one", "{\"running\": {}}", "{}");
    createPod("forged", "", "{\"running\": {}}", "{}");
    var adopted = owned.replace(", \"controller\": true", "");
    createPod("adopted", adopted, "{\"running\": {}}", "{}");
    fail("one", OPERATOR, false, 3, 60);
    fail("forged", OPERATOR, false, 50, 60);
    fail("adopted", OPERATOR, false, 50, 60);
    assertThat(diagnoses()).containsExactly(Diagnosis.failing(3));
  }

  @Test
  void theLastSignIsTheLastLineHoweverOldOrElseTheStart() {
    createPod("one", "{\"running\": {\"startedAt\": \"2026-11-21T08:00:00Z\"}}", "{}");
    kubelet.log("one", OPERATOR, false, ago(3_000), "something");
    assertThat(lastActivity()).isEqualTo(ago(3_000));
    kubelet.log("one", OPERATOR, false, ago(30), "something else");
    assertThat(lastActivity()).isEqualTo(ago(30));
    kubelet.rotate("one", OPERATOR);
    assertThat(lastActivity()).isEqualTo(Instant.parse("2026-11-21T08:00:00Z"));
  }

  private Instant lastActivity() {
    return Objects.requireNonNull(read().getFirst().lastActivity());
  }

  /** In a process of its own, with the options that are shipped, and the chart's memory. */
  @Promise(
      value = "An operator's log of any size leaves the janitor its memory and its connections.",
      breaks = "Reading a log into memory before it is scanned.")
  @Test
  void aLogThatIsLargerThanTheMemoryIsRead(ControlPlane controlPlane, @TempDir Path folder)
      throws Exception {
    createPod("one", "{\"running\": {}}", "{}");
    var lines = "DEBUG %s\n".formatted("x".repeat(2_000)).repeat(1_000);
    for (var second = 100; second > 60; second--) {
      kubelet.log("one", OPERATOR, false, ago(second), lines);
    }
    var kubeconfig = Files.copy(controlPlane.kubeconfig(), folder.resolve("kubeconfig"));

    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@../plugin/options/common",
                "@../plugin/options/janitor",
                "-XX:MaxRAM=128m",
                "-cp",
                System.getProperty("java.class.path"),
                SmallReader.class.getName(),
                kubeconfig.toString(),
                cluster.namespace())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();

    if (!process.waitFor(90, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("200\n".repeat(6));
  }

  /** Reads the log several times at once, slowly, as on a busy node. */
  static final class SmallReader {
    private SmallReader() {}

    public static void main(String[] arguments) throws Exception {
      try (var client = ApiConnection.open(Path.of(arguments[0]), null);
          var readers = Executors.newFixedThreadPool(6)) {
        var log = new PodLog(client, arguments[1], "one", OPERATOR, Duration.ofSeconds(30));
        Callable<Integer> task = () -> log.read("timestamps=true", SmallReader::slowly);
        for (var code : readers.invokeAll(Collections.nCopies(6, task))) {
          System.out.println(code.get());
        }
      }
    }

    private static void slowly(InputStream lines) throws IOException {
      var buffer = new byte[16 << 10];
      for (var left = 24 << 20; left > 0; left -= Math.max(1, lines.read(buffer))) {
        LockSupport.parkNanos(500_000);
      }
    }
  }

  @Test
  void aContainerThatCannotStartProvesNothing() {
    createPod("one", "{\"waiting\": {\"reason\": \"ImagePullBackOff\"}}", "{}");
    assertThat(diagnoses())
        .containsExactly(Diagnosis.unreadable("pod one: its container waits: ImagePullBackOff"));
    state("one", "{\"waiting\": {\"reason\": \"ContainerCreating\"}}", "{}");
    assertThat(diagnoses())
        .containsExactly(Diagnosis.unreadable("pod one: its container waits: ContainerCreating"));
  }

  @Test
  void aContainerCrashesUntilItHasRunForTenMinutes() {
    var crashed = "{\"terminated\": {\"exitCode\": 1}}";
    createPod("one", "{\"running\": {\"startedAt\": \"%s\"}}".formatted(ago(60)), crashed);
    fail("one", OPERATOR, false, 1, 30);
    assertThat(read()).allMatch(InstanceHealth::isCrashing);
    state("one", "{\"running\": {\"startedAt\": \"%s\"}}".formatted(ago(900)), crashed);
    assertThat(read()).noneMatch(InstanceHealth::isCrashing);
    state("one", "{\"waiting\": {\"reason\": \"CrashLoopBackOff\"}}", crashed);
    assertThat(read()).allMatch(InstanceHealth::isCrashing);
    state("one", "{\"running\": {\"startedAt\": \"%s\"}}".formatted(ago(60)), "{}");
    assertThat(read()).noneMatch(InstanceHealth::isCrashing);
  }

  private List<Diagnosis> diagnoses() {
    return read().stream().map(InstanceHealth::diagnosis).toList();
  }

  private List<InstanceHealth> read() {
    return read(NOW.minus(SIGNATURE.window()));
  }

  private List<InstanceHealth> read(Instant since) {
    var operator =
        new OperatorWorkload(
                cluster.client(),
                new Workload(Workload.Kind.DEPLOYMENT, cluster.namespace(), OPERATOR),
                OPERATOR)
            .read();
    return logs.read(operator, since, () -> new LogScan(SIGNATURE, since, NOW));
  }

  private PodLogs logs(String container) {
    return logs(container, Duration.ofSeconds(20));
  }

  private PodLogs logs(String container, Duration timeout) {
    return new PodLogs(cluster.client(), container, timeout);
  }

  private void fail(String pod, String container, boolean previous, int count, int secondsAgo) {
    for (var i = 0; i < count; i++) {
      var time = ago(secondsAgo - i);
      kubelet.log(pod, container, previous, time, log.failure(time, container + time));
    }
  }

  private void createPod(String name, String state, String lastState) {
    createPod(name, owned, state, lastState);
  }

  private void createPod(String name, String owner, String state, String lastState) {
    cluster.create(
        cluster.path("pods"),
        """
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "%s", "labels": {"app": "operator"}%s},
         "spec": {"nodeName": "%s", "containers": [
           {"name": "cray-cfs-operator", "image": "example.com/operator"},
           {"name": "istio-proxy", "image": "example.com/proxy"}]}}
        """
            .formatted(name, owner.isEmpty() ? "" : ", " + owner, node));
    state(name, state, lastState);
  }

  private void state(String name, String state, String lastState) {
    cluster.patch(
        cluster.path("pods/" + name + "/status"),
        """
        {"status": {"phase": "Running", "containerStatuses": [
          {"name": "cray-cfs-operator", "image": "i", "imageID": "i", "ready": true,
           "restartCount": 2, "state": %s, "lastState": %s},
          {"name": "istio-proxy", "image": "i", "imageID": "i", "ready": true,
           "restartCount": 0, "state": {"running": {}}}]}}
        """
            .formatted(state, lastState));
  }

  private static Instant ago(int seconds) {
    return NOW.minusSeconds(seconds);
  }
}
