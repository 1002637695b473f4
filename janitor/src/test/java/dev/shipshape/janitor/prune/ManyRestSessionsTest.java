package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.FakeCfs;
import dev.shipshape.janitor.session.RestEndpoint;
import dev.shipshape.janitor.session.RestService;
import dev.shipshape.janitor.session.RestStore;
import dev.shipshape.janitor.session.RestVersion;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.sandbox.junit.Promise;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** 10,000 sessions of every kind in a CFS service, pruned to the end. */
class ManyRestSessionsTest {
  private static final int COUNT = 10_000;
  private static final Policy POLICY = TestSessions.policy(20, 100_000, null);

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final ConcurrentLinkedQueue<String> records = new ConcurrentLinkedQueue<>();

  @Promise(
      value = "Through the CFS service, exactly the aged, complete batcher sessions are deleted.",
      breaks = "Misreading a field of the service.")
  @Test
  void exactlyThoseGoThatTheOracleNames() throws IOException {
    var random = new Random(20261122);
    var sessions = IntStream.range(0, COUNT).mapToObj(i -> one(i, random)).toList();
    var expected = names(new Oracle(POLICY, now).eligible(sessions));
    assertThat(expected).as("a test that means something").hasSizeGreaterThan(COUNT / 8);
    try (var cfs = FakeCfs.start("v3")) {
      sessions.forEach(session -> put(cfs, session));
      var report = run(cfs);
      assertThat(TestSessions.count(report, Status.GONE)).isEqualTo(expected.size());
      var left = names(sessions);
      left.removeAll(expected);
      assertThat(new TreeSet<>(cfs.names())).isEqualTo(left);
      assertThat(cfs.requests.stream().filter(request -> request.startsWith("DELETE ")))
          .hasSize(expected.size());
    }
    assertThat(records)
        .hasSize(expected.size())
        .allMatch(record -> record.contains("\"result\":\"gone\""));
  }

  private RunReport run(FakeCfs cfs) {
    var service = new RestService(new RestEndpoint(cfs.address(), null, null));
    return TestSessions.run(
        TestSessions.pruner(
            new RestStore(EmptyCluster.client(), service, RestVersion.V3, "services"),
            POLICY,
            new Throughput(16, 100_000, TestSessions.PAUSE),
            TestSessions.audit(records),
            () -> true,
            Clock.systemUTC()),
        Duration.ofMinutes(5));
  }

  private static Set<String> names(List<Session> sessions) {
    return sessions.stream().map(Session::name).collect(Collectors.toCollection(TreeSet::new));
  }

  private Session one(int number, Random random) {
    var states = List.of("complete", "complete", "complete", "pending", "running", "Complete", "");
    var names = List.of(batcher(number), batcher(number), batcher(number), "boa-" + number);
    // A minute off the limits, since the service's clock goes on meanwhile.
    var completed = now.minus(Duration.ofHours(random.nextInt(14 * 24))).minusSeconds(60);
    var isUnknown = random.nextInt(20) == 0;
    return new Session(
        "services",
        names.get(random.nextInt(names.size())),
        null,
        null,
        states.get(random.nextInt(states.size())),
        TestSessions.times(
            null, completed.minus(Duration.ofHours(1)), isUnknown ? null : completed),
        "cfs-" + number,
        marks(random.nextInt(10)));
  }

  private static Set<Mark> marks(int kind) {
    return switch (kind) {
      case 0 -> Set.of(Mark.KEEP);
      case 1 -> Set.of(Mark.IMAGE_RESULT);
      default -> Set.of();
    };
  }

  private static void put(FakeCfs cfs, Session session) {
    var times = session.times();
    cfs.put(
        session.name(),
        session.state(),
        String.valueOf(naive(times.started())),
        naive(times.completed()),
        session.job());
    if (session.marks().contains(Mark.KEEP)) {
      cfs.tag(session.name(), "shipshape.dev/keep", "true");
    }
    if (session.marks().contains(Mark.IMAGE_RESULT)) {
      cfs.giveImage(session.name());
    }
  }

  /** As the service writes times. */
  private static @Nullable String naive(@Nullable Instant time) {
    return time == null ? null : time.toString().replace("Z", "");
  }
}
