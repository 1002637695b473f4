package dev.shipshape.bench;

import java.io.IOException;
import java.util.ArrayList;

/**
 * From the API server's answer to the write that calls a configuration invalid, to the webhook's
 * first refusal of the same configuration.
 */
final class Enforcement {
  private static final double TARGET_MILLISECONDS = 500;
  private static final int FIRST_VARIANT = 10_000;

  private Enforcement() {}

  static Figure measure(Cluster cluster, Server webhook, int count)
      throws IOException, InterruptedException {
    var milliseconds = new ArrayList<Double>();
    try (var caller = new WebhookCaller(webhook.url(), webhook.bundle())) {
      for (var number = 0; number < count; number++) {
        var name = "late-" + number;
        var spec = Reviews.spec(1, FIRST_VARIANT + number);
        cluster
            .send("POST", Cluster.NODE_CONFIGS, Reviews.json(Reviews.nodeConfig(name, spec)))
            .expect(201);
        var review = Reviews.creation("another-" + number, spec);
        if (!caller.allows(review)) {
          throw new IOException("refused before it was known invalid: " + name);
        }
        cluster.markInvalid(name).expect(200);
        var began = System.nanoTime();
        while (caller.allows(review)) {
          Thread.onSpinWait();
        }
        milliseconds.add((System.nanoTime() - began) / 1e6);
      }
    }
    milliseconds.sort(null);
    return Figure.atMost(
        TARGET_MILLISECONDS,
        "watch event to enforcement, p99",
        milliseconds.get((int) (0.99 * (milliseconds.size() - 1))),
        "ms");
  }
}
