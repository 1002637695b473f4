package dev.shipshape.webhook.validation;

import dev.shipshape.service.EventRecorder;
import dev.shipshape.service.LogLimiter;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Operation;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardedResource;
import dev.shipshape.webhook.known.Evidence;
import dev.shipshape.webhook.known.IndexedObject;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Reports what became known invalid, and refusals, by Kubernetes Events on the objects. On a thread
 * of its own: a response neither waits for an Event nor fails with one. An Event that does not fit
 * into the queue or exceeds a rate is dropped.
 */
public final class GuardEvents implements AutoCloseable {
  private static final int QUEUE_SIZE = 256;

  /** Limits the heap: what is queued or was reported is held for a while. */
  private static final int MAX_NAME = 253;

  private static final int MAX_NOTE = 2_000;

  private final Map<String, Guard> guards;
  private final KubernetesClient client;
  private final LogLimiter repeated;
  private final EventRecorder recorder;
  private final ThreadPoolExecutor thread;

  /** Events of an object are {@code every} apart. */
  public GuardEvents(Map<String, Guard> guards, KubernetesClient client, Duration every) {
    this.guards = guards;
    this.client = client;
    this.repeated = new LogLimiter(every, System::nanoTime);
    // An operator that tries again every second would fill etcd without a limit.
    this.recorder =
        new EventRecorder(
            client, "shipshape.dev/webhook", Clock.systemUTC(), 25, Duration.ofSeconds(125));
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE_SIZE),
            Thread.ofPlatform().name("events").daemon(true).factory(),
            new ThreadPoolExecutor.DiscardPolicy());
  }

  public void decided(AdmissionRequest request, Decision decision) {
    var guard = guards.get(request.resource().toString());
    if (guard == null || request.dryRun()) {
      return;
    }
    if (decision.reason().isKnownInvalid()) {
      report(guard, request, "Refuse", decision.message());
    } else if (!decision.reason().rejects() && !decision.message().isEmpty()) {
      report(guard, request, "Warn", decision.message());
    }
  }

  private void report(Guard guard, AdmissionRequest request, String action, String note) {
    var resource = guard.resource();
    var metadata = request.object().path("metadata");
    // An object that is being created already has a uid, but the creation is refused.
    var uid = request.operation() == Operation.CREATE ? "" : metadata.path("uid").asText();
    var name = metadata.path("name").asText(request.name());
    if (Math.max(name.length(), request.namespace().length()) > MAX_NAME) {
      // No API server sends such a review.
      return;
    }
    if (!name.isEmpty()) {
      report(reference(resource, request.namespace(), name, uid), List::of, action, note);
    }
    var origins = guard.origins();
    if (origins != null) {
      var about = "%s %s: %s".formatted(resource.kind(), name, note);
      for (var origin : origins.of(request.object())) {
        report(origin, this::find, action, about);
      }
    }
  }

  /** Reports a new KnownInvalidConfiguration, on the object whose status reported the failure. */
  public void learned(KnownInvalidConfiguration known) {
    var nodes = known.nodes();
    var note =
        "this configuration is known invalid from now on%s: %s wrote that %s. Kept as KnownInvalidConfiguration %s."
            .formatted(
                nodes.isEmpty() ? "" : ", since it failed on " + Evidence.named(nodes, 3),
                known.writer().isEmpty() ? "an unknown writer" : known.writer(),
                known.reason(),
                known.key().objectName());
    guards.values().stream()
        .filter(guard -> guard.name().equals(known.key().guard()))
        .forEach(
            guard ->
                report(
                    reference(
                        guard.resource(),
                        known.key().namespace(),
                        known.source().name(),
                        known.source().uid()),
                    List::of,
                    "Learn",
                    note));
  }

  private static ObjectReference reference(
      GuardedResource resource, String namespace, String name, String uid) {
    return new ObjectReferenceBuilder()
        .withApiVersion(resource.apiVersion())
        .withKind(resource.kind())
        .withName(name)
        .withNamespace(namespace.isEmpty() ? null : namespace)
        .withUid(uid.isEmpty() ? null : uid)
        .build();
  }

  /** Queues an Event; of a long note, only the beginning. */
  private void report(
      ObjectReference regarding,
      Function<ObjectReference, List<ObjectReference>> located,
      String action,
      String note) {
    var start = note.substring(0, Math.min(note.length(), MAX_NOTE));
    thread.execute(
        () -> {
          var namespace = Objects.requireNonNullElse(regarding.getNamespace(), "");
          var key = IndexedObject.key(namespace, regarding.getName());
          if (repeated.isDue("%s %s %s".formatted(action, regarding.getKind(), key))) {
            recorder.write(
                () -> located.apply(regarding),
                "Warning",
                "KnownInvalidConfiguration",
                action,
                start);
          }
        });
  }

  private List<ObjectReference> find(ObjectReference named) {
    return client
        .genericKubernetesResources(named.getApiVersion(), named.getKind())
        .inAnyNamespace()
        .withField("metadata.name", named.getName())
        .list()
        .getItems()
        .stream()
        .map(
            found ->
                new ObjectReferenceBuilder(named)
                    .withNamespace(found.getMetadata().getNamespace())
                    .withUid(found.getMetadata().getUid())
                    .build())
        .toList();
  }

  /** Drops the Events that are not written yet. */
  @Override
  public void close() {
    thread.getQueue().clear();
    thread.shutdown();
  }
}
