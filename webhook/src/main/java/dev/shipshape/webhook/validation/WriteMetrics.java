package dev.shipshape.webhook.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.Operation;
import dev.shipshape.webhook.config.Guard;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts writes of guarded objects by what they change, to reveal writers that revert each other or
 * repeat what is there. Rejected writes are attempts, and count too.
 */
public final class WriteMetrics {
  private static final Logger logger = LoggerFactory.getLogger(WriteMetrics.class);

  /** What a write changes. */
  private enum Change {
    NONE,
    METADATA,
    CONFIGURATION;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Set<String> BY_API_SERVER =
      Set.of("metadata", "status", "managedFields", "resourceVersion");

  private record Write(String resource, Change change) {}

  private final Map<Write, Counter> writes = new HashMap<>();

  public WriteMetrics(MeterRegistry registry, Collection<Guard> guards) {
    for (var guard : guards) {
      for (var change : Change.values()) {
        writes.put(
            new Write(guard.resource().toString(), change),
            Counter.builder("shipshape.webhook.writes")
                .description("Writes of guarded objects, by what they change.")
                .tag("guard", guard.name())
                .tag("change", change.label())
                .register(registry));
      }
    }
  }

  /** Counts a write. */
  public void decided(AdmissionRequest request) {
    if (request.dryRun() || !request.writesAnObject()) {
      return;
    }
    var change = changeOf(request);
    var counter = writes.get(new Write(request.resource().toString(), change));
    if (counter != null) {
      counter.increment();
      logger.debug("{} changes {} of {}", request.user(), change.label(), request.subject());
    }
  }

  private static Change changeOf(AdmissionRequest request) {
    if (request.operation() == Operation.CREATE || request.oldObject().isMissingNode()) {
      return Change.CONFIGURATION;
    }
    return generation(request.object()) != generation(request.oldObject())
        ? Change.CONFIGURATION
        : isWrittenAs(request.object(), request.oldObject()) ? Change.NONE : Change.METADATA;
  }

  private static long generation(JsonNode object) {
    return object.path("metadata").path("generation").asLong();
  }

  /** Whether they are the same but for what the API server keeps by itself. */
  private static boolean isWrittenAs(JsonNode object, JsonNode other) {
    return isSame(object.path("metadata"), other.path("metadata"))
        // Of one generation nothing else can differ.
        && (generation(object) > 0 || isSame(object, other));
  }

  private static boolean isSame(JsonNode object, JsonNode other) {
    return Stream.of(object, other)
        .flatMap(each -> each.properties().stream())
        .map(Map.Entry::getKey)
        .filter(name -> !BY_API_SERVER.contains(name))
        .allMatch(name -> object.path(name).equals(other.path(name)));
  }
}
