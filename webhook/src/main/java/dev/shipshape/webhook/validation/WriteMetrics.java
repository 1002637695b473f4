package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionResponse;
import dev.shipshape.webhook.admission.Operation;
import dev.shipshape.webhook.admission.RawObject;
import dev.shipshape.webhook.admission.ResponseListener;
import dev.shipshape.webhook.config.Guard;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts writes of guarded objects by what they change, to reveal writers that revert each other or
 * repeat what is there. Rejected writes are attempts, and count too.
 */
public final class WriteMetrics implements ResponseListener {
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

  @Override
  public void responded(AdmissionRequest request, AdmissionResponse response) {
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
    if (request.operation() == Operation.CREATE || !request.oldObject().exists()) {
      return Change.CONFIGURATION;
    }
    var written = request.written();
    var old = request.oldObject();
    if (generation(written) != generation(old)) {
      return Change.CONFIGURATION;
    }
    return written.isWrittenAs(old) ? Change.NONE : Change.METADATA;
  }

  private static long generation(RawObject object) {
    return object.head().path("metadata").path("generation").asLong();
  }
}
