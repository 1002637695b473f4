package dev.shipshape.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Updates NodeConfigs at a steady rate, or as fast as answers come where that is slower. */
final class PacedWrites {
  private static final int NODES = 10;

  /** Above those that are known invalid; the highest that a VNI of 24 bits can tell is 16,776. */
  private static final int FIRST_VARIANT = 2_000;

  private static final int VARIANTS = 10_000;

  private final Cluster cluster;
  private final int networks;
  private final int perSecond;
  private final AtomicInteger written = new AtomicInteger();

  private PacedWrites(Cluster cluster, int networks, int perSecond) {
    this.cluster = cluster;
    this.networks = networks;
    this.perSecond = perSecond;
  }

  /**
   * What the client saw.
   *
   * @param rate writes a second
   * @param p50 milliseconds of a write
   */
  record Seen(int writes, double rate, double p50) {}

  /** Creates the NodeConfigs that are updated. */
  static PacedWrites on(Cluster cluster, int networks, int perSecond)
      throws IOException, InterruptedException {
    for (var node = 0; node < NODES; node++) {
      var object = Reviews.nodeConfig("node-" + node, Reviews.spec(networks, FIRST_VARIANT));
      cluster.send("POST", Cluster.NODE_CONFIGS, Reviews.json(object)).expect(201);
    }
    return new PacedWrites(cluster, networks, perSecond);
  }

  Seen run(int seconds) throws IOException, InterruptedException {
    var began = System.nanoTime();
    var end = began + TimeUnit.SECONDS.toNanos(seconds);
    var interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
    var nodes = new ArrayList<Future<List<Double>>>();
    try (var writers = Executors.newFixedThreadPool(NODES)) {
      for (var number = 0; number < NODES; number++) {
        var node = number;
        nodes.add(writers.submit(() -> run(node, began + node * interval, NODES * interval, end)));
      }
      var milliseconds = new ArrayList<Double>();
      for (var node : nodes) {
        milliseconds.addAll(node.get());
      }
      var writes = milliseconds.size();
      return new Seen(
          writes, (double) writes / seconds, Median.of(milliseconds, Double::doubleValue));
    } catch (ExecutionException e) {
      throw new IOException("a write failed", e);
    }
  }

  /** Updates one node, one write after the other: two at once would be a conflict. */
  private List<Double> run(int node, long first, long interval, long end)
      throws IOException, InterruptedException {
    var milliseconds = new ArrayList<Double>();
    for (var due = first; Math.max(due, System.nanoTime()) < end; due += interval) {
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      var began = System.nanoTime();
      write(node);
      milliseconds.add((System.nanoTime() - began) / 1e6);
    }
    return milliseconds;
  }

  /** A configuration that differs from the last one and from those known invalid. */
  private void write(int node) throws IOException, InterruptedException {
    var variant = FIRST_VARIANT + written.incrementAndGet() % VARIANTS;
    cluster
        .send(
            "PATCH",
            "%s/node-%d".formatted(Cluster.NODE_CONFIGS, node),
            Reviews.json(Map.of("spec", Reviews.spec(networks, variant))))
        .expect(200);
  }
}
