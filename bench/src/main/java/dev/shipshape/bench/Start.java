package dev.shipshape.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** From the start of the process until its readiness probe succeeds, its objects listed. */
final class Start {
  private static final double TARGET_SECONDS = 2.5;

  private Start() {}

  static List<Figure> measure(Launch launch, int starts) throws IOException, InterruptedException {
    var seconds = new ArrayList<Double>();
    var processor = new ArrayList<Double>();
    for (var count = 0; count < starts; count++) {
      try (var webhook = launch.webhook("nodeconfig")) {
        seconds.add(webhook.awaitReady());
        processor.add(webhook.processorSeconds());
      }
    }
    return List.of(
        Figure.atMost(
            TARGET_SECONDS,
            "start to Ready, AOT cache, 1,000 objects to list",
            Median.of(seconds, Double::doubleValue),
            "s"),
        Figure.of("the same, processor time", Median.of(processor, Double::doubleValue), "s"));
  }
}
