package dev.shipshape.webhook.timeout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.index.Onlooker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What took too long, of every guard whose objects say since when they are on their way. */
public final class Timeouts implements Onlooker {
  private final Nodes nodes;
  private final InstantSource clock;
  private final Map<String, Attempts> byGuard = new HashMap<>();

  private Timeouts(Collection<Guard> guards, TimeLimits limits, Nodes nodes, InstantSource clock) {
    this.nodes = nodes;
    this.clock = clock;
    for (var guard : guards) {
      var progress = guard.signs().progress();
      if (progress != null && !guard.stampsOnly()) {
        byGuard.put(
            guard.name(),
            new Attempts(
                guard,
                progress,
                attempt -> limits.judge(attempt, nodes.of(attempt.node()), clock.instant())));
      }
    }
  }

  /** Where nothing ever takes too long. */
  public static Timeouts none() {
    var never = new TimeLimits(Duration.ZERO, Duration.ZERO);
    return of(List.of(), never, name -> NodeState.UNKNOWN, InstantSource.system());
  }

  /**
   * Judges by these nodes.
   *
   * @param clock the API server's, or one as good
   */
  public static Timeouts of(
      Collection<Guard> guards, TimeLimits limits, Nodes nodes, InstantSource clock) {
    return new Timeouts(guards, limits, nodes, clock);
  }

  /** What took too long of this configuration. Answers at once. */
  public List<TimedOut> of(Guard guard, ConfigHash hash) {
    var attempts = byGuard.get(guard.name());
    return attempts == null ? List.of() : attempts.of(hash);
  }

  /** How many configurations took too long. */
  public int size(Guard guard) {
    var attempts = byGuard.get(guard.name());
    return attempts == null ? 0 : attempts.size();
  }

  @Override
  public void seen(Guard guard, JsonNode object, IndexedObject known) {
    var attempts = byGuard.get(guard.name());
    if (attempts != null) {
      attempts.seen(object, known, clock.instant());
    }
  }

  @Override
  public void gone(Guard guard, String key) {
    var attempts = byGuard.get(guard.name());
    if (attempts != null) {
      attempts.gone(key);
    }
  }

  /** To be called often: time passes without a word. */
  public void look() {
    byGuard.values().forEach(attempts -> attempts.look(nodes));
  }
}
