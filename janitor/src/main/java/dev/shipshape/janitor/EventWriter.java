package dev.shipshape.janitor;

import dev.failsafe.RateLimiter;
import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.restart.Workload;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Events ({@code events.k8s.io/v1}) about an operator's workload. Limits their rate. Best
 * effort: Events expire after an hour; the audit log is the record.
 */
final class EventWriter {
  private static final Logger logger = LoggerFactory.getLogger(EventWriter.class);

  private static final int MAX_EVENTS = 20;
  private static final Duration PERIOD = Duration.ofHours(1);

  /** The API server's limit is 1024 bytes. */
  private static final int MAX_NOTE_LENGTH = 1000;

  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final KubernetesClient client;
  private final Workload operator;
  private final String instance;
  private final InstantSource clock;
  private final RateLimiter<Object> limit = RateLimiter.burstyBuilder(MAX_EVENTS, PERIOD).build();

  EventWriter(KubernetesClient client, Workload operator, String instance, InstantSource clock) {
    this.client = client;
    this.operator = operator;
    this.instance = instance;
    this.clock = clock;
  }

  /** Writes an Event, {@code Normal} or {@code Warning}. Logs a failure; drops it at the limit. */
  void publish(String type, String reason, String action, String note) {
    if (!limit.tryAcquirePermit()) {
      return;
    }
    var event =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(operator.namespace())
            .withGenerateName(operator.name() + "-")
            .endMetadata()
            .withEventTime(new MicroTime(MICRO_TIME.format(clock.instant())))
            .withReportingController("shipshape.dev/janitor")
            .withReportingInstance(instance)
            .withType(type)
            .withReason(reason)
            .withAction(action)
            .withNote(shortened(note));
    try {
      client.resource(event.withRegarding(regarding()).build()).create();
    } catch (KubernetesClientException e) {
      logger.warn("event: could not write {}: {}", reason, ApiErrors.reason(e));
    }
  }

  /** Refers to the workload with its uid, which kubectl needs to find the Event. */
  private ObjectReference regarding() {
    HasMetadata found = operator.in(client).get();
    return new ObjectReferenceBuilder()
        .withApiVersion("apps/v1")
        .withKind(operator.kind().toString())
        .withNamespace(operator.namespace())
        .withName(operator.name())
        .withUid(found == null ? null : found.getMetadata().getUid())
        .build();
  }

  private static String shortened(String note) {
    var ascii = note.replaceAll("[^\\x20-\\x7e]", "?");
    return ascii.length() > MAX_NOTE_LENGTH ? ascii.substring(0, MAX_NOTE_LENGTH) : ascii;
  }
}
