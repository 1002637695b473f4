package dev.shipshape.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.failsafe.RateLimiter;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Events ({@code events.k8s.io/v1}). Limits their rate. Best effort: Events expire after an
 * hour; the log is the record.
 */
public final class EventRecorder {
  private static final Logger logger = LoggerFactory.getLogger(EventRecorder.class);

  /** The API server's limit, in bytes. */
  private static final int MAX_NOTE_BYTES = 1024;

  /** The API server requires exactly six digits. */
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final KubernetesClient client;
  private final String controller;
  private final InstantSource clock;
  private final RateLimiter<Object> limit;
  private final LogLimiter logLimit = new LogLimiter(Duration.ofHours(1), System::nanoTime);

  /**
   * @param controller the reporter, such as {@code shipshape.dev/janitor}
   * @param burst how many times it writes at most within a period
   */
  public EventRecorder(
      KubernetesClient client, String controller, InstantSource clock, int burst, Duration period) {
    this.client = client;
    this.controller = controller;
    this.clock = clock;
    this.limit = RateLimiter.burstyBuilder(burst, period).build();
  }

  /**
   * Writes an Event about each object. Logs a failure once an hour; drops all at the limit.
   *
   * @param about looks the objects up, only within the limit
   * @param type {@code Normal} or {@code Warning}
   */
  public void write(
      Supplier<List<ObjectReference>> about,
      String type,
      String reason,
      String action,
      String note) {
    if (!limit.tryAcquirePermit()) {
      return;
    }
    var bytes = note.getBytes(UTF_8);
    // An incomplete character at the end is decoded to a replacement character.
    var cut = new String(bytes, 0, Math.min(bytes.length, MAX_NOTE_BYTES - 3), UTF_8);
    var object = "";
    try {
      for (var regarding : about.get()) {
        var in = regarding.getNamespace() == null ? "" : regarding.getNamespace() + "/";
        object = " about %s %s%s".formatted(regarding.getKind(), in, regarding.getName());
        var event =
            new EventBuilder()
                .withNewMetadata()
                .withGenerateName(regarding.getName() + "-")
                // Events of cluster-scoped objects are in this namespace.
                .withNamespace(Objects.requireNonNullElse(regarding.getNamespace(), "default"))
                .endMetadata()
                .withEventTime(new MicroTime(MICROSECONDS.format(clock.instant())))
                .withReportingController(controller)
                // In a pod, HOSTNAME is the pod's name.
                .withReportingInstance(
                    Objects.requireNonNullElse(System.getenv("HOSTNAME"), "unknown"))
                .withType(type)
                .withReason(reason)
                .withAction(action)
                .withRegarding(regarding)
                .withNote(bytes.length > MAX_NOTE_BYTES ? cut.replace("\uFFFD", "") + "..." : note)
                .build();
        client.resource(event).create();
      }
    } catch (RuntimeException e) {
      var why = PeriodicTask.explain(e);
      if (logLimit.isDue(LogLimiter.line(why))) {
        logger.warn("could not write an Event {} ({}){}: {}", reason, action, object, why);
      }
    }
  }
}
