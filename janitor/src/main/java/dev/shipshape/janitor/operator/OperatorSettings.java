package dev.shipshape.janitor.operator;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which operator to look after, and how.
 *
 * @param podLabels all of which an operator's pod carries
 * @param container the operator's container
 * @param logFile read instead of the pods' logs; null for the pods'
 * @param checkEvery how often to look
 */
public record OperatorSettings(
    String namespace,
    String deployment,
    Map<String, String> podLabels,
    String container,
    @Nullable Path logFile,
    Duration checkEvery,
    Symptoms symptoms,
    RestartGovernor governor) {

  public OperatorSettings {
    podLabels = Map.copyOf(podLabels);
  }
}
