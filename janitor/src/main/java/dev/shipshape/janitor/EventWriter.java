package dev.shipshape.janitor;

import dev.shipshape.janitor.restart.Workload;
import dev.shipshape.service.EventRecorder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Writes Events about an operator's workload, at most 20 within an hour. */
final class EventWriter {
  private final KubernetesClient client;
  private final Workload operator;
  private final EventRecorder recorder;

  EventWriter(KubernetesClient client, Workload operator, InstantSource clock) {
    this.client = client;
    this.operator = operator;
    this.recorder =
        new EventRecorder(client, "shipshape.dev/janitor", clock, 20, Duration.ofHours(1));
  }

  /** Writes an Event, {@code Normal} or {@code Warning}. Logs a failure; drops it at the limit. */
  void publish(String type, String reason, String action, String note) {
    // Notes quote logs.
    var ascii = note.replaceAll("[^\\x20-\\x7e]", "?");
    recorder.write(() -> List.of(regarding()), type, reason, action, ascii);
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
}
