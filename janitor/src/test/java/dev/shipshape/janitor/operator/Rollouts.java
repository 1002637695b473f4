package dev.shipshape.janitor.operator;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes Deployments as a governor sees them: at first one that may be restarted. */
final class Rollouts {
  private final @Nullable Instant server;
  private int replicas = 1;
  private boolean paused;
  private boolean inProgress;
  private boolean maintenance;
  private List<Instant> restarts = List.of();
  private List<Instant> ours = List.of();
  private @Nullable Instant template;
  private @Nullable Instant lastStart;

  private Rollouts(@Nullable Instant server) {
    this.server = server;
  }

  /**
   * @param server the API server's clock; null where it does not say
   */
  static Rollouts at(@Nullable Instant server) {
    return new Rollouts(server);
  }

  /** By us, the last of which its pods bear. */
  Rollouts restarted(Instant... times) {
    restarts = List.of(times);
    ours = restarts;
    template = restarts.isEmpty() ? null : restarts.getLast();
    lastStart = template;
    return this;
  }

  /** Only ReplicaSets remember. */
  Rollouts rememberedElsewhere(Instant time) {
    restarts = List.of(time);
    return this;
  }

  Rollouts template(Instant time) {
    template = time;
    return this;
  }

  Rollouts started(Instant time) {
    lastStart = time;
    return this;
  }

  Rollouts replicas(int count) {
    replicas = count;
    return this;
  }

  Rollouts paused() {
    paused = true;
    return this;
  }

  Rollouts inProgress() {
    inProgress = true;
    return this;
  }

  Rollouts maintenance() {
    maintenance = true;
    return this;
  }

  Rollout rollout() {
    return new Rollout(
        server,
        "uid",
        "1",
        replicas,
        paused,
        inProgress,
        maintenance,
        restarts,
        ours,
        template,
        lastStart,
        restarts.size(),
        "");
  }
}
