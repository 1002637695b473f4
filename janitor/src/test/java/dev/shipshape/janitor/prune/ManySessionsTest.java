package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static dev.shipshape.janitor.prune.TestSessions.session;
import static dev.shipshape.janitor.prune.TestSessions.times;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Sessions of every kind on a real API server, more than a page of them: 700, or as many as {@code
 * -Dsessions=10000} says.
 */
@ExtendWith(ControlPlaneExtension.class)
class ManySessionsTest {
  private static final int COUNT = Integer.getInteger("sessions", 700);
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private static final Policy POLICY = TestSessions.policy(20, 100_000, null);

  @Promise(
      value = "On a real API server, exactly the aged, complete batcher sessions are deleted.",
      breaks = "Any other rule.")
  @Test
  void exactlyThoseGoThatTheOracleNames(ControlPlane controlPlane, UniqueNames names) {
    try (var cluster = new TestCluster(controlPlane, names.namespace("many"));
        var client = cluster.clientNamed(names.name("agent"))) {
      var sessions = create(cluster);
      var expected = new TreeSet<String>();
      new Oracle(POLICY, now).eligible(sessions).forEach(session -> expected.add(session.name()));
      assertThat(expected).as("a test that means something").hasSizeGreaterThan(COUNT / 8);

      var report = run(cluster, client);
      assertThat(TestSessions.count(report, Status.GONE)).isEqualTo(expected.size());
      var left = new TreeSet<String>();
      sessions.forEach(session -> left.add(session.name()));
      left.removeAll(expected);
      assertThat(new TreeSet<>(cluster.names(cluster.sessions()))).isEqualTo(left);
    }
  }

  private static RunReport run(TestCluster cluster, KubernetesClient client) {
    return TestSessions.run(
        TestSessions.pruner(
            client,
            cluster.namespace(),
            POLICY,
            new Throughput(16, 10_000, TestSessions.PAUSE),
            new AuditLog(_ -> {}, Clock.systemUTC()),
            new CancellationToken(() -> true)),
        Duration.ofMinutes(5));
  }

  private List<Session> create(TestCluster cluster) {
    var random = new Random(20261121);
    var sessions = new ArrayList<Session>();
    for (var i = 0; i < COUNT; i++) {
      sessions.add(one(i, random));
    }
    try (var workers = Executors.newFixedThreadPool(16)) {
      sessions.stream()
          .map(session -> CompletableFuture.runAsync(() -> create(cluster, session), workers))
          .toList()
          .forEach(CompletableFuture::join);
    }
    return sessions;
  }

  private Session one(int number, Random random) {
    var states =
        List.of("complete", "complete", "complete", "complete", "pending", "running", "Complete");
    var name = random.nextInt(6) == 0 ? "boa-" + batcher(number).substring(8) : batcher(number);
    // A minute off the limit, since the API server's clock goes on meanwhile.
    var completed = now.minus(Duration.ofHours(random.nextInt(14 * 24))).minusSeconds(60);
    var marks =
        switch (random.nextInt(10)) {
          case 0 -> new Mark[] {Mark.KEEP};
          case 1 -> new Mark[] {Mark.IMAGE_RESULT};
          default -> new Mark[0];
        };
    var isUnknown = random.nextInt(20) == 0;
    return session(
        name,
        states.get(random.nextInt(states.size())),
        times(now, null, isUnknown ? null : completed),
        "cfs-" + number,
        marks);
  }

  private static void create(TestCluster cluster, Session session) {
    var completed = session.times().completed();
    cluster.createSession(
        session.name(),
        session.state(),
        completed == null ? null : completed.toString(),
        resource -> {
          ((ObjectNode) resource.at("/spec/status/session")).put("job", session.job());
          if (session.marks().contains(Mark.KEEP)) {
            resource.withObject("/metadata/annotations").put("shipshape.dev/keep", "true");
          }
          if (session.marks().contains(Mark.IMAGE_RESULT)) {
            ((ObjectNode) resource.at("/spec/status"))
                .putArray("artifacts")
                .addObject()
                .put("result_id", "46a2731e-a1d0-4f98-ba92-4f78c756bb12");
          }
        });
  }
}
