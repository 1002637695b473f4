package dev.shipshape.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Two hundred sessions such as a busy system has, each made with the knowledge whether the demo's
 * rule (batcher's own, complete for more than seven days, not kept) means it.
 */
final class BatcherSessions {
  private static final Duration AGED = Duration.ofDays(9);
  private static final Duration FRESH = Duration.ofHours(30);

  /** One session, what a person would call it, and whether it must be gone afterwards. */
  record Made(String name, String sort, boolean mustGo, ObjectNode object) {}

  private BatcherSessions() {}

  /** What a lot of sessions has in common. */
  private enum Sort {
    AGED_COMPLETE(80, "batcher-", "complete", AGED),
    FRESH_COMPLETE(40, "batcher-", "complete", FRESH),
    RUNNING(25, "batcher-", "running", AGED),
    PENDING(20, "batcher-", "pending", AGED),
    WITHOUT_STATE(5, "batcher-", "", AGED),
    COMPLETE_IN_FUTURE(5, "batcher-", "complete", Duration.ofHours(-2)),
    NOT_BATCHER(15, "boa-", "complete", AGED),
    KEPT(10, "batcher-", "complete", AGED);

    private final int count;
    private final String prefix;
    private final String state;
    private final Duration age;

    Sort(int count, String prefix, String state, Duration age) {
      this.count = count;
      this.prefix = prefix;
      this.state = state;
      this.age = age;
    }

    String words() {
      return prefix + "…, " + name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  static List<Made> twoHundred(Instant now) {
    return Stream.of(Sort.values())
        .flatMap(sort -> IntStream.range(0, sort.count).mapToObj(i -> make(sort, i, now)))
        .toList();
  }

  private static Made make(Sort sort, int number, Instant now) {
    var seed = (sort.name() + number).getBytes(StandardCharsets.UTF_8);
    var identity = UUID.nameUUIDFromBytes(seed);
    var name = sort.prefix + identity;
    var object = session(name, identity, sort.state, now.minus(sort.age));
    if (sort == Sort.KEPT) {
      object.withObject("/metadata/annotations").put("shipshape.dev/keep", "true");
    }
    return new Made(name, sort.words(), sort == Sort.AGED_COMPLETE, object);
  }

  private static ObjectNode session(String name, UUID identity, String state, Instant end) {
    var object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "cms.cray.com/v1").put("kind", "ConfigFrameworkSession");
    object.putObject("metadata").put("name", name).put("namespace", "services");
    var spec = object.putObject("spec");
    spec.putObject("repo").put("cloneUrl", "https://vcs.example.invalid/configuration.git");
    if (!state.isEmpty()) {
      var session = spec.putObject("status").putObject("session").put("status", state);
      session.put("job", "cfs-" + identity);
      session.put("startTime", stamp(end.minus(Duration.ofMinutes(6))));
      if (state.equals("complete")) {
        session.put("succeeded", "true").put("completionTime", stamp(end));
      }
    }
    return object;
  }

  private static String stamp(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
