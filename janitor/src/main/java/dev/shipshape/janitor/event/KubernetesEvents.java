package dev.shipshape.janitor.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Events ({@code events.k8s.io/v1}), a few an hour at most, in a thread of its own: whatever
 * becomes of them, nobody waits for it and nothing fails by it. They are for people who look with
 * kubectl; they live an hour and are no record.
 */
public final class KubernetesEvents implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(KubernetesEvents.class);

  private static final int MOST = 20;
  private static final Duration WITHIN = Duration.ofHours(1);
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  /** The API server's limit is 1024 bytes. */
  private static final int LONGEST_NOTE = 1000;

  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /** What came of an Event. */
  public enum Result {
    PUBLISHED,
    /** There were too many within the hour. */
    SUPPRESSED,
    FAILED
  }

  private final KubernetesApi api;
  private final String instance;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Consumer<Result> results;
  private final Deque<Long> published = new ArrayDeque<>();
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("events").factory());

  /**
   * @param instance which of the replicas writes
   * @param nanoTime the limit's clock, which nobody can set back
   * @param results is told what came of each
   */
  public KubernetesEvents(
      KubernetesApi api,
      String instance,
      InstantSource clock,
      LongSupplier nanoTime,
      Consumer<Result> results) {
    this.api = api;
    this.instance = instance;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.results = results;
  }

  /** Writes an Event, some time soon, if it can. */
  public void publish(Subject subject, Notice notice) {
    if (!isWithinLimit()) {
      results.accept(Result.SUPPRESSED);
      return;
    }
    var body = event(subject, notice, clock.instant());
    try {
      writer.execute(() -> write(subject.namespace(), body));
    } catch (RejectedExecutionException e) {
      // It is closed: the program ends.
      results.accept(Result.FAILED);
    }
  }

  /** Gives what is on its way a moment more. */
  @Override
  public void close() {
    writer.shutdown();
    try {
      if (!writer.awaitTermination(LAST_WORDS.toNanos(), TimeUnit.NANOSECONDS)) {
        writer.shutdownNow();
      }
    } catch (InterruptedException e) {
      writer.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isWithinLimit() {
    var now = nanoTime.getAsLong();
    while (!published.isEmpty() && now - published.getFirst() >= WITHIN.toNanos()) {
      published.removeFirst();
    }
    if (published.size() >= MOST) {
      return false;
    }
    published.addLast(now);
    return true;
  }

  private void write(String namespace, JsonNode event) {
    var path = "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";
    try {
      api.post(path, event).requireSuccess("POST " + path);
      results.accept(Result.PUBLISHED);
    } catch (ApiFailure e) {
      logger.warn("event: {} not written: {}", event.path("reason").asText(), e.getMessage());
      results.accept(Result.FAILED);
    }
  }

  private JsonNode event(Subject subject, Notice notice, Instant now) {
    var event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "events.k8s.io/v1").put("kind", "Event");
    event
        .putObject("metadata")
        .put("namespace", subject.namespace())
        .put("generateName", subject.name() + "-");
    event
        .put("eventTime", MICRO_TIME.format(now))
        .put("reportingController", "shipshape.dev/janitor")
        .put("reportingInstance", instance)
        .put("type", notice.warning() ? "Warning" : "Normal")
        .put("reason", notice.reason())
        .put("action", notice.action())
        .put("note", shortened(notice.note()));
    event
        .putObject("regarding")
        .put("apiVersion", subject.apiVersion())
        .put("kind", subject.kind())
        .put("namespace", subject.namespace())
        .put("name", subject.name())
        .put("uid", subject.uid());
    return event;
  }

  private static String shortened(String note) {
    var ascii = note.replaceAll("[^\\x20-\\x7e]", "?");
    return ascii.length() > LONGEST_NOTE ? ascii.substring(0, LONGEST_NOTE) : ascii;
  }
}
