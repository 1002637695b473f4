package dev.shipshape.janitor.restart;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/** A source of the operator's log. */
public interface OperatorLog {
  static OperatorLog ofPods(KubernetesClient client, OperatorSettings settings) {
    return new PodLogs(client, settings.container(), Duration.ofSeconds(20));
  }

  /**
   * Reads the log since a time. Keeps no state between two calls, so that no line is counted twice.
   *
   * @param operator the current snapshot
   * @param newScan makes the scan of one log
   * @return one for each instance of the operator, at least one
   * @throws IOException if a log cannot be read
   */
  List<InstanceHealth> read(OperatorSnapshot operator, Instant since, Supplier<LogScan> newScan)
      throws IOException;
}
