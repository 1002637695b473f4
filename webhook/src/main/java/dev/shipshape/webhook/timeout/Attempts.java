package dev.shipshape.webhook.timeout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.Progress;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.IndexedObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configurations of one guard that are on their way, and which of them took too long. One that
 * did counts until its status is written anew, even where the object has another one by then: with
 * that, the node's own object would else be all that says so, and be gone.
 */
final class Attempts {
  private static final Logger logger = LoggerFactory.getLogger(Attempts.class);

  private final Guard guard;
  private final Progress progress;
  private final Function<Attempt, Optional<TimedOut>> judge;
  private final Map<String, Attempt> current = new HashMap<>();
  private final Map<String, Attempt> replaced = new HashMap<>();

  /** As they were told, by object and configuration. */
  private Map<String, TimedOut> told = new HashMap<>();

  private volatile Map<ConfigHash, List<TimedOut>> byHash = Map.of();

  /**
   * @param judge by what is known of nodes and by the clock, now
   */
  Attempts(Guard guard, Progress progress, Function<Attempt, Optional<TimedOut>> judge) {
    this.guard = guard;
    this.progress = progress;
    this.judge = judge;
  }

  /** What took too long of this configuration; what no longer counts by its node is left out. */
  List<TimedOut> of(ConfigHash hash) {
    return byHash.getOrDefault(hash, List.of()).stream()
        .filter(timedOut -> judge.apply(timedOut.attempt()).isPresent())
        .toList();
  }

  /** How many configurations took too long, as of the last look. */
  int size() {
    return byHash.size();
  }

  synchronized void seen(JsonNode object, IndexedObject known, Instant now) {
    var key = known.key();
    var before = current.remove(key);
    var stage = progress.of(object);
    if (before != null && before.stage().equals(stage) && !before.hash().equals(known.hash())) {
      judge.apply(before).ifPresent(late -> replaced.put(key, before.replacedAt(now)));
    }
    Attempt.of(guard, progress, object, known).ifPresent(attempt -> current.put(key, attempt));
    replaced.computeIfPresent(
        key, (same, old) -> old.stage().equals(stage) && !hasAgain(key, old) ? old : null);
    retell("its status or its configuration was written anew", key);
  }

  private boolean hasAgain(String key, Attempt old) {
    var now = current.get(key);
    return now != null && now.hash().equals(old.hash());
  }

  synchronized void gone(String key) {
    current.remove(key);
    replaced.remove(key);
    retell("the object is gone", key);
  }

  /** Takes note of what time and nodes have done. */
  synchronized void look(Nodes nodes) {
    var now = new HashMap<String, TimedOut>();
    Stream.concat(current.values().stream(), replaced.values().stream())
        .flatMap(attempt -> judge.apply(attempt).stream())
        .forEach(late -> now.put(name(late), late));
    now.forEach(
        (name, late) -> {
          if (!told.containsKey(name)) {
            entered(late);
          }
        });
    told.forEach(
        (name, late) -> {
          if (!now.containsKey(name)) {
            left(late, nodes);
          }
        });
    told = now;
    publish();
  }

  /** Takes out what is no longer an attempt of this object. */
  private void retell(String why, String key) {
    var out =
        told.values().stream()
            .filter(late -> late.object().equals(key))
            .filter(late -> !isThere(late))
            .toList();
    if (!out.isEmpty()) {
      out.forEach(
          late -> {
            told.remove(name(late));
            tellLeft(late, why);
          });
      publish();
    }
  }

  private boolean isThere(TimedOut late) {
    return Stream.of(current, replaced)
        .map(attempts -> attempts.get(late.object()))
        .anyMatch(attempt -> attempt != null && sameAs(late.attempt(), attempt));
  }

  private static boolean sameAs(Attempt one, Attempt other) {
    return one.hash().equals(other.hash()) && one.since().equals(other.since());
  }

  private void publish() {
    byHash = told.values().stream().collect(Collectors.groupingBy(TimedOut::hash));
  }

  private static String name(TimedOut late) {
    return late.object() + " " + late.hash() + " " + late.since();
  }

  private void entered(TimedOut late) {
    logger.info(
        "timeouts: {} {} (uid {}) {} counts as invalid: it {}",
        guard.name(),
        late.object(),
        late.attempt().uid(),
        late.hash(),
        late.reason());
  }

  private void left(TimedOut late, Nodes nodes) {
    tellLeft(
        late,
        switch (nodes.of(late.node())) {
          case NodeState.Unfit(var why) -> "its node " + why;
          case NodeState.Ready(var since) -> "its node is ready only since " + since;
        });
  }

  private void tellLeft(TimedOut late, String why) {
    logger.info(
        "timeouts: {} {} (uid {}) {} no longer counts as invalid: {}",
        guard.name(),
        late.object(),
        late.attempt().uid(),
        late.hash(),
        why);
  }
}
