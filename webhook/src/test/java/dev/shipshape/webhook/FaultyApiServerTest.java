package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.ownedBy;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server that answers slowly, wrongly or not at all, between the webhook and its index. */
@ExtendWith(ControlPlaneExtension.class)
@Timeout(180)
class FaultyApiServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int vni = GuardedCluster.newVni();
  private final FaultyCluster cluster;
  private final FaultyApi faulty;

  FaultyApiServerTest(ControlPlane controlPlane, UniqueNames names, @TempDir Path folder)
      throws Exception {
    this.cluster = FaultyCluster.open(controlPlane, names.name("webhook"), folder);
    this.faulty = cluster.faulty();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Promise(
      value =
          "A replica without a connection to the API server becomes unready, and does not guess.",
      breaks = "A readiness probe that checks only the port.")
  @Test
  void aLostWatchMakesTheIndexOldThenTheServerUnreadyAndThenNothingIsGuessed(UniqueNames names)
      throws Exception {
    var restored = names.name("worker");
    var backup = ownedBy(config(restored + "-backup", vni), restored, cluster.api().node(restored));
    cluster.api().post(Api.NODE_CONFIGS, backup).expect(201);
    startServer("{unready: 1s, refuse: 5s}");
    readyOnceRecordsCome(names);

    faulty.always(FaultyApiServerTest::isAny, FaultyApi.hangUp());
    faulty.cut();

    eventually(PATIENCE, () -> assertThat(staleness()).isGreaterThan(0.6));
    eventually(
        PATIENCE,
        () ->
            assertThat(Metric.page(server().managementPort(), "/readyz"))
                .contains("nodeconfigs.network", "is lost for"));
    assertThat(validate(names.name("worker")).statusCode()).as("between the bounds").isEqualTo(200);
    eventually(PATIENCE, () -> assertThat(validate("worker-1").statusCode()).isEqualTo(503));
    var putOff = validate("worker-1");
    assertThat(putOff.headers().firstValue("Retry-After")).contains("1");
    assertThat(putOff.headers().firstValue("Connection")).as("tries another").contains("close");
    // The watch of what is remembered may have been lost some milliseconds before.
    eventually(() -> assertThat(staleness()).isGreaterThan(5));
    assertUnguardedPass();
    var restore = update(config(restored, vni).toString(), config(restored, vni + 1).toString());
    assertThat(cluster.post(restore).body())
        .as("by the backup that was known last")
        .contains("\"allowed\":true", "restores-backup");
    var node = recordInvalid(names);

    faulty.heal();

    readyOnceRecordsCome(names);
    eventually(PATIENCE, () -> assertRefused(node));
    eventually(PATIENCE, () -> assertThat(staleness()).isLessThan(1));
  }

  @Promise(
      value = "A resource for which the API server fails postpones its own guard's calls only.",
      breaks = "Readiness that needs every watch: a broken conversion webhook stops all guards.")
  @ParameterizedTest
  @ValueSource(ints = {500, 403})
  void aResourceThatCannotBeReadDoesNotStopTheOtherGuards(int code, UniqueNames names)
      throws Exception {
    startServer("{unready: 1s, refuse: 4s}");
    readyOnceRecordsCome(names);

    faulty.always(request -> request.contains("/nodeconfigs"), FaultyApi.refuse(code));
    faulty.cut();

    eventually(PATIENCE, () -> assertThat(validate("worker-1").statusCode()).isEqualTo(503));
    assertThat(server().notReadyReason()).isEmpty();
  }

  @Test
  void aWatchThatAsksForTooMuchIsListedAnew(UniqueNames names) throws Exception {
    startServer("{unready: 30s, refuse: 60s}");
    ready();
    var lists = lists();
    var gone = new CountDownLatch(1);
    faulty.once(
        FaultyApiServerTest::isWatch,
        exchange -> {
          FaultyApi.tooOld().respond(exchange);
          gone.countDown();
        });
    faulty.cut();
    var node = recordInvalid(names);

    eventually(PATIENCE, () -> assertThat(gone.getCount()).isZero());
    eventually(PATIENCE, () -> assertRefused(node));
    assertThat(lists()).isGreaterThan(lists);
    ready();
  }

  @Test
  void thatEachWatchAsksForTooMuchIsSaid() throws Exception {
    startServer("{unready: 1s, refuse: 60s}");
    ready();

    faulty.always(FaultyApiServerTest::isWatch, FaultyApi.tooOld());
    faulty.cut();

    eventually(
        PATIENCE,
        () ->
            assertThat(server().notReadyReason().orElse(""))
                .contains("is lost for", "the resourceVersion has expired"));
  }

  @Promise(
      value = "After the API server's data is restored from a backup, everything is listed anew.",
      breaks = "Watching from a resource version that the server has not reached yet.")
  @Test
  void dataThatWasRestoredFromABackupIsListedAnew(UniqueNames names) throws Exception {
    startServer("{unready: 30s, refuse: 60s}");
    awaitWatch(names);
    var lists = lists();
    faulty.once(
        FaultyApiServerTest::isQuestionForTheVersion,
        FaultyApi.respondWith(
            "{\"kind\": \"List\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": []}"));

    faulty.cut();

    eventually(PATIENCE, () -> assertThat(lists()).isGreaterThan(lists));
    ready();
  }

  /** Meanwhile its data may have been restored, and its versions may have passed the last one. */
  @Test
  void onceNoServerHasAnsweredEverythingIsListedAnew(UniqueNames names) throws Exception {
    startServer("{unready: 30s, refuse: 60s}");
    awaitWatch(names);
    var lists = lists();
    // The client tries a request three times.
    for (var time = 0; time < 3; time++) {
      faulty.once(FaultyApiServerTest::isQuestionForTheVersion, FaultyApi.refuse(503));
    }

    faulty.cut();

    eventually(PATIENCE, () -> assertThat(lists()).isGreaterThan(lists));
    ready();
  }

  @Promise(
      value = "A watch that breaks again and again misses no change.",
      breaks = "Continuing after a gap in the resource versions.")
  @Test
  void watchesThatBreakAgainAndAgainMissNothing(UniqueNames names) throws Exception {
    startServer("{unready: 30s, refuse: 60s}");
    ready();
    for (var time = 0; time < 4; time++) {
      faulty.once(FaultyApiServerTest::isWatch, FaultyApi.hangUp());
    }

    faulty.cut();
    var node = recordInvalid(names);

    eventually(PATIENCE, () -> assertRefused(node));
    ready();
  }

  @Test
  void aWatchThatIsSilentlyLostIsBegunAnewAndMissesNothing(UniqueNames names) throws Exception {
    startServer("{unready: 1s, refuse: 5s}");
    awaitWatch(names);
    faulty.freeze();

    var node = recordInvalid(names, vni + 5);

    awaitRefusal(node, vni + 5);
    readyOnceRecordsCome(names);
  }

  @Test
  void aWatchThatIsSilentForLackOfNewsStaysGood(UniqueNames names) throws Exception {
    startServer("{unready: 5s, refuse: 5s}");
    readyOnceRecordsCome(names);
    var asked = watches();
    var lists = lists();
    var missing = new HashSet<Optional<String>>();

    eventually(
        PATIENCE,
        () -> {
          missing.add(server().notReadyReason());
          assertThat(watches()).isGreaterThan(asked + 1);
        });

    assertThat(missing).containsExactly(Optional.empty());
    assertThat(lists()).isEqualTo(lists);
  }

  /** As by an admission policy of somebody else. */
  @Test
  void whatIsRefusedOnceIsStoredLater(UniqueNames names) throws Exception {
    startServer("{unready: 30s, refuse: 60s}");
    ready();
    faulty.always(FaultyApiServerTest::isStoring, FaultyApi.refuse(422));
    var node = recordInvalid(names);
    eventually(
        PATIENCE,
        () ->
            assertThat(faulty.requests("POST "))
                .filteredOn(FaultyApiServerTest::isStoring)
                .isNotEmpty());

    faulty.heal();

    eventually(
        PATIENCE,
        () ->
            assertThat(cluster.api().get(Api.KNOWN_INVALID).body().toString())
                .contains(node + "-invalid"));
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500})
  void aListThatIsRefusedIsTriedAgainUntilItIsNot(int code, UniqueNames names) throws Exception {
    var node = recordInvalid(names);
    faulty.always(FaultyApiServerTest::isList, FaultyApi.refuse(code, "Retry-After", "1"));

    startServer("{unready: 30s, refuse: 60s}");

    eventually(
        PATIENCE,
        () ->
            assertThat(server().notReadyReason().orElse(""))
                .contains("are not listed yet", String.valueOf(code)));
    assertThat(validate(node).statusCode()).isEqualTo(503);
    assertUnguardedPass();
    var tried = lists();
    eventually(PATIENCE, () -> assertThat(lists()).isGreaterThan(tried));

    faulty.heal();

    ready();
    assertRefused(node);
  }

  private void startServer(String staleness) throws Exception {
    cluster.startServer("staleness: %s\nguards: [{preset: nodeconfig}]\n".formatted(staleness));
  }

  private WebhookServer server() {
    return cluster.server();
  }

  private void ready() throws Exception {
    eventually(PATIENCE, () -> assertThat(server().notReadyReason()).isEmpty());
  }

  /** Without WebSockets the client takes a watch for one only once something came by it. */
  private void readyOnceRecordsCome(UniqueNames names) throws Exception {
    eventually(
        PATIENCE,
        () -> {
          recordInvalid(names);
          assertThat(server().notReadyReason()).isEmpty();
        });
  }

  private double staleness() throws Exception {
    return Metric.sum(server().managementPort(), "shipshape_webhook_index_staleness_seconds");
  }

  private String recordInvalid(UniqueNames names) throws Exception {
    return recordInvalid(names, vni);
  }

  /** Straight to the API server. */
  private String recordInvalid(UniqueNames names, int vni) throws Exception {
    var node = names.name("worker");
    cluster.api().post(Api.NODE_CONFIGS, config(node, vni)).expect(201);
    var record = ownedBy(config(node + "-invalid", vni), node, cluster.api().node(node));
    cluster.api().post(Api.NODE_CONFIGS, record).expect(201);
    return node;
  }

  /** Waits for a watch that has brought something, so that what comes next is no list's. */
  private void awaitWatch(UniqueNames names) throws Exception {
    eventually(
        PATIENCE,
        () ->
            assertThat(faulty.requests("GET "))
                .filteredOn(FaultyApiServerTest::isWatch)
                .isNotEmpty());
    awaitRefusal(recordInvalid(names, vni + 4), vni + 4);
  }

  private void awaitRefusal(String node, int vni) throws Exception {
    eventually(
        PATIENCE,
        () -> assertThat(cluster.validate(node, vni).body()).contains("\"allowed\":false"));
  }

  private void assertRefused(String node) throws Exception {
    var answer = validate(node);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"allowed\":false", "known invalid");
  }

  /** What stays as it is, and records. */
  private void assertUnguardedPass() throws Exception {
    var object = config("worker-1", vni).toString();
    for (var review :
        new String[] {
          update(object, object),
          creation(ownedBy(config("worker-1-invalid", vni), "worker-1", "x").toString())
        }) {
      assertThat(cluster.post(review).body()).contains("\"allowed\":true");
    }
  }

  private HttpResponse<String> validate(String node) throws Exception {
    return cluster.validate(node, vni);
  }

  private long lists() {
    return faulty.requests("GET ").stream().filter(FaultyApiServerTest::isList).count();
  }

  private long watches() {
    return faulty.requests("GET ").stream().filter(FaultyApiServerTest::isWatch).count();
  }

  private static boolean isList(String request) {
    return request.contains("/nodeconfigs") && request.contains("limit=100");
  }

  private static boolean isQuestionForTheVersion(String request) {
    return request.contains("/nodeconfigs") && request.endsWith("limit=1");
  }

  private static boolean isStoring(String request) {
    return request.startsWith("POST ") && request.contains("/knowninvalidconfigurations");
  }

  private static boolean isWatch(String request) {
    return request.contains("/nodeconfigs") && request.contains("watch=true");
  }

  private static boolean isAny(String request) {
    return !request.isEmpty();
  }
}
