package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A janitor dies at any of its requests, before it is sent or before its answer is heard, and is
 * started again, again and again: the operator is restarted once all the same.
 */
@ExtendWith(ControlPlaneExtension.class)
class KilledJanitorTest {
  private static final int FAULTS = 8;

  @TempDir Path folder;
  private ControlPlane controlPlane;
  private TestCluster cluster;
  private String agent;
  private OperatorLogFile log;
  private LogServer logs;
  private final List<String> records = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open(ControlPlane shared, UniqueNames names) throws IOException {
    controlPlane = shared;
    cluster = new TestCluster(shared, names.namespace("killed"));
    agent = names.name("agent");
    log = new OperatorLogFile(folder.resolve("cray-cfs-operator.log"));
    logs = LogServer.start(folder);
    cluster.logsFrom(logs.redirect());
    cluster.createOperator();
  }

  @AfterEach
  void close() {
    logs.close();
    cluster.close();
  }

  /** Each fault a day and more after the last: so only this fault's budget is at stake. */
  @Promise(
      value = "A killed janitor forgets no restart: the workload records them.",
      breaks = "Storing the budget in memory.")
  @Test
  void thirtyKillsCauseNoExtraRestart() throws Exception {
    var random = new Random(20261121);
    var now = Instant.now().plus(Duration.ofHours(1));
    var restartsByTheKilled = 0;
    var requests = new ArrayList<Integer>();
    for (var fault = 0; fault < FAULTS; fault++) {
      log.stuckAt(now);
      var before = patches().size();
      var most = requests.isEmpty() ? 20 : requests.getFirst();
      for (var life = 0; life < 4; life++) {
        die(new Death(fault * most / FAULTS + random.nextInt(3), random.nextBoolean()), now);
      }
      restartsByTheKilled += patches().size() - before;

      var survivor = new Death(Integer.MAX_VALUE, false);
      live(survivor, now);
      requests.add(survivor.requests());
      assertThat(patches().size() - before).as("fault %d: it is restarted", fault).isEqualTo(1);
      assertThat(live(new Death(Integer.MAX_VALUE, false), now.plusSeconds(60)).refusal())
          .isNotNull();
      assertThat(patches().size() - before).as("fault %d: and only once", fault).isEqualTo(1);
      assertThat(begun()).as("fault %d: noted before", fault).isGreaterThanOrEqualTo(fault + 1);
      cluster.finishRollout();
      now = now.plus(Duration.ofHours(29));
    }
    assertThat(restartsByTheKilled)
        .as("kills before the patch and after it")
        .isBetween(1, FAULTS - 1);
    assertThat(
            cluster
                .get(cluster.deployment())
                .at("/metadata/annotations/shipshape.dev~1restarts")
                .asText()
                .split(","))
        .hasSize(FAULTS);
  }

  /** A life that ends at a request, which its code hears of in one way or another. */
  private void die(Death death, Instant now) throws Exception {
    try {
      live(death, now);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageStartingWith("dead before");
    }
  }

  private OperatorReport live(Interceptor death, Instant now) throws Exception {
    var settings = TestOperatorJob.settings(cluster.namespace(), "", "", "clockTolerance: 100w");
    var time = new AtomicReference<>(now);
    try (var client = cluster.clientThrough(death, agent);
        var job = TestOperatorJob.of(settings, client, time::get, records::add)) {
      log.stuckAt(now);
      job.check();
      time.set(now.plusSeconds(2));
      log.stuckAt(now.plusSeconds(2));
      return job.check();
    }
  }

  private long begun() {
    return records.stream().filter(line -> line.contains("\"action\":\"restart\"")).count();
  }

  private List<JsonNode> patches() throws IOException {
    return cluster.audited(
        agent,
        event ->
            event.path("verb").asText().equals("patch")
                && event.at("/objectRef/resource").asText().equals("deployments")
                && event.at("/responseStatus/code").asInt() == 200);
  }
}
