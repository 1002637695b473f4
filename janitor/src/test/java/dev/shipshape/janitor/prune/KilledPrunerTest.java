package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.Death;
import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A run that dies at every request, before it is sent or before its answer is heard. */
@ExtendWith(ControlPlaneExtension.class)
class KilledPrunerTest {
  private static final String AGED = "2026-01-01T00:00:00Z";
  private static final String YOUNG = batcher(98);
  private static final String RUNNING = batcher(99);

  private TestCluster cluster;
  private String agent;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) {
    cluster = new TestCluster(controlPlane, names.namespace("killed"));
    agent = names.name("agent");
    cluster.createSession(RUNNING, "running", null);
    cluster.createSession(YOUNG, "complete", Instant.now().toString());
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Promise(
      value =
          "Wherever the janitor is killed, each deletion has its `begin` line, and nothing else is"
              + " deleted.",
      breaks = "Writing the line after the request, or into a buffer.")
  @Test
  void atWhicheverStepItDiesEachDeletionHasItsBeginLineAndNothingElseGoes() {
    diesAtEachRequest(1, 2);
  }

  @Test
  void asWellWhereSeveralWorkersDelete() {
    diesAtEachRequest(3, 3);
  }

  private void diesAtEachRequest(int workers, int number) {
    for (var afterwards : List.of(false, true)) {
      var request = 0;
      while (diesAt(request, afterwards, workers, number)) {
        request++;
      }
      assertThat(request).as("a list, and the deletions").isGreaterThan(number);
    }
  }

  /** Whether there are so many requests. */
  private boolean diesAt(int request, boolean afterwards, int workers, int number) {
    var uids = IntStream.rangeClosed(1, number).mapToObj(this::create).toList();
    var lines = new CopyOnWriteArrayList<String>();
    var death = new Death(request, afterwards);
    run(death, workers, lines);
    var step = "%s request %d".formatted(afterwards ? "after" : "before", request);

    var left = cluster.get(cluster.sessions()).path("items").findValuesAsText("uid");
    assertThat(uids(lines, "begin"))
        .as("%s: each that is gone was noted before", step)
        .containsAll(uids.stream().filter(uid -> !left.contains(uid)).toList());
    assertThat(uids(lines, "deletion")).as(step).doesNotHaveDuplicates();

    run(new Death(Integer.MAX_VALUE, false), 1, new CopyOnWriteArrayList<>());
    assertThat(cluster.names(cluster.sessions()))
        .as("%s: the next run does the rest", step)
        .containsExactly(YOUNG, RUNNING);
    return death.isDead();
  }

  private void run(Death death, int workers, List<String> lines) {
    var audit =
        new AuditLog(
            line -> {
              // What of its code goes on leaves none.
              if (!death.isDead()) {
                lines.add(line);
              }
            },
            Clock.systemUTC());
    try (var client = cluster.clientThrough(death, agent)) {
      TestSessions.pruner(
              client,
              cluster.namespace(),
              TestSessions.POLICY,
              new Throughput(workers, 1000, TestSessions.PAUSE),
              audit,
              new CancellationToken(() -> true))
          .run(true);
    } catch (IllegalStateException | KubernetesClientException e) {
      assertThat(e).hasStackTraceContaining("dead before");
    }
  }

  private String create(int number) {
    return cluster.createSession(batcher(number), "complete", AGED).at("/metadata/uid").asText();
  }

  private static List<String> uids(List<String> lines, String event) {
    return lines.stream()
        .map(TestCluster::json)
        .filter((JsonNode line) -> line.path("event").asText().equals(event))
        .map(line -> line.path("uid").asText())
        .toList();
  }
}
