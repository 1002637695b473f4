package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.TestCluster;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A run that dies at every step, on a real API server. */
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
    var step = 1;
    while (diesAt(step, 1, 2)) {
      step++;
    }
    assertThat(step).as("a list, two deletions, two lines each").isGreaterThan(20);
  }

  /** In whichever order the workers come to the steps, so that not each is tried. */
  @Test
  void asWellWhereSeveralWorkersDelete() {
    var step = 1;
    while (diesAt(step, 3, 3)) {
      step += 3;
    }
    assertThat(step).isGreaterThan(20);
  }

  /** Whether there are so many steps. */
  private boolean diesAt(int step, int workers, int number) {
    var uids = IntStream.rangeClosed(1, number).mapToObj(this::create).toList();
    var lines = new CopyOnWriteArrayList<String>();
    var isDead = isKilledAt(step, workers, lines);

    var left = cluster.get(cluster.sessions()).path("items").findValuesAsText("uid");
    assertThat(uids(lines, "begin"))
        .as("step %d: each that is gone was noted before", step)
        .containsAll(uids.stream().filter(uid -> !left.contains(uid)).toList());
    assertThat(uids(lines, "deletion")).as("step %d", step).doesNotHaveDuplicates();

    assertThat(isKilledAt(Integer.MAX_VALUE, 1, new CopyOnWriteArrayList<>())).isFalse();
    assertThat(cluster.names(cluster.sessions()))
        .as("step %d: the next run does the rest", step)
        .containsExactly(YOUNG, RUNNING);
    return isDead;
  }

  private boolean isKilledAt(int step, int workers, List<String> lines) {
    var mortal = new MortalPruner(step, lines::add);
    try (var client = cluster.clientNamed(agent)) {
      mortal.run(client, cluster.namespace(), workers);
      return false;
    } catch (MortalPruner.Dead e) {
      return true;
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
