package dev.shipshape.janitor.restart;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/** Where the operator logs to. */
public interface OperatorLog {
  /** That of an operator's pods. */
  static OperatorLog ofPods(KubernetesClient client, OperatorSettings settings) {
    return new PodLogs(client, settings.container(), Duration.ofSeconds(20));
  }

  /**
   * Reads what was logged since a time, afresh each time: nothing is remembered between two
   * readings, so nothing can be counted twice.
   *
   * @param operator as it stands
   * @param open makes the scan for one log
   * @return one for each instance of the operator, and at least one
   * @throws IOException where a log cannot be read
   */
  List<InstanceHealth> read(OperatorSnapshot operator, Instant since, Supplier<LogScan> open)
      throws IOException;
}
