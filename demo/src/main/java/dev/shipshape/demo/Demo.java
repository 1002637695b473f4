package dev.shipshape.demo;

import dev.shipshape.plugin.release.Console;
import java.nio.file.Path;
import java.time.Clock;

/**
 * The main job from end to end, on real parts: an API server that asks our webhook, and our janitor
 * that works on that API server. Ends by itself; every expectation is checked.
 */
public final class Demo {
  private final Console console;
  private final Clock clock;
  private final Checks checks;

  /** A demo that tells a person what it does. */
  public Demo(Console console, Clock clock) {
    this.console = console;
    this.clock = clock;
    this.checks = new Checks(console);
  }

  /**
   * Plays the whole story.
   *
   * @param keep told once everything has been shown, while all of it still runs; returns when it
   *     may end
   * @return whether everything came out as expected
   */
  public boolean run(Keep keep) throws InterruptedException {
    console.heading("1. A control plane of its own");
    try (var cluster = DemoCluster.start(console)) {
      cluster.prepare();
      try (var webhook = cluster.startWebhook(clock);
          var janitor = cluster.startJanitor(clock)) {
        new GuardStory(console, checks, cluster, webhook).tell();
        new JanitorStory(console, checks, cluster, janitor, clock).tell();
        new MetricsStory(console, checks, webhook, janitor).tell();
        var asExpected = checks.summary();
        keep.untilDone(cluster.kubeconfig());
        return asExpected;
      }
    }
  }

  /** What to do with a demo that is still running. */
  @FunctionalInterface
  public interface Keep {
    /** Returns when the demo may end. */
    void untilDone(Path kubeconfig) throws InterruptedException;
  }
}
