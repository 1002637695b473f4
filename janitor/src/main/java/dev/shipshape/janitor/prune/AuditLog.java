package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record of every deletion, one JSON object a line. Where there is a file, it has a {@code
 * begin} line, on the disk, before each request to delete: a process that was killed between that
 * and the record finds it when it starts again, and records what became of the object.
 */
public final class AuditLog implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(AuditLog.class);
  private static final String BEGIN = "begin";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Consumer<String> lines;
  private final @Nullable AuditFile file;
  private final InstantSource clock;

  /** Those that were begun by this process and have no record yet, as {@link #key} names them. */
  private final Set<String> open = new HashSet<>();

  /** Those that were begun, and that nobody is about to record. */
  private final Map<String, PendingDeletion> unfinished = new LinkedHashMap<>();

  /** Records that are told, and that could not be written to the file yet. */
  private final Deque<String> unwritten = new ArrayDeque<>();

  /** One that tells each record and keeps none. */
  public AuditLog(Consumer<String> lines, InstantSource clock) {
    this(lines, null, clock);
  }

  /**
   * @param lines takes each record too
   * @param file null for none
   */
  public AuditLog(Consumer<String> lines, @Nullable AuditFile file, InstantSource clock) {
    this.lines = lines;
    this.file = file;
    this.clock = clock;
  }

  /**
   * Notes that something is about to be deleted.
   *
   * @throws UncheckedIOException where that is not possible: nothing may be sent then
   */
  synchronized void begin(PendingDeletion pending) {
    if (file == null) {
      return;
    }
    try {
      catchUp(file);
      file.rotateWhereFull();
      file.append(beginning(pending).toString());
      unfinished.remove(key(pending));
      open.add(key(pending));
    } catch (IOException e) {
      throw cannotUse(file, e);
    }
  }

  /** Records what became of it; where that is unknown, the next run looks and records it. */
  synchronized void end(PendingDeletion pending, DeleteResult result) {
    var key = key(pending);
    if (result.status() == Status.UNKNOWN && open.remove(key)) {
      unfinished.put(key, pending);
      logger.warn(
          "prune {}: {}: result unknown, the next run looks and records it: {}",
          pending.run(),
          pending.target().object(),
          result.detail());
      return;
    }
    var line = record(pending, result).toString();
    open.remove(key);
    unfinished.remove(key);
    lines.accept(line);
    if (file != null) {
      unwritten.add(line);
      try {
        catchUp(file);
      } catch (IOException e) {
        logger.error("could not write to {}, tried again: {}", file.path(), e.toString());
      }
    }
  }

  /**
   * The deletions that were begun and have no record, and that this process does not work on.
   *
   * @throws UncheckedIOException where it cannot be told: nothing may be deleted then
   */
  synchronized List<PendingDeletion> unfinished() {
    if (file != null) {
      try {
        catchUp(file);
      } catch (IOException e) {
        throw cannotUse(file, e);
      }
    }
    return List.copyOf(unfinished.values());
  }

  /** Whether nothing is begun that this process has yet to record. */
  public synchronized boolean isIdle() {
    return open.isEmpty();
  }

  /** Leaves the file to others, until the next use. */
  @Override
  public synchronized void close() {
    if (file != null) {
      file.close();
    }
  }

  /** Opens the file where it is not, and writes what could not be written before. */
  private void catchUp(AuditFile file) throws IOException {
    if (!file.isOpen()) {
      var begun = new LinkedHashMap<String, PendingDeletion>();
      file.open(line -> read(line, begun));
      begun.keySet().removeAll(open);
      unfinished.clear();
      unfinished.putAll(begun);
    }
    while (!unwritten.isEmpty()) {
      file.append(unwritten.getFirst());
      unwritten.removeFirst();
    }
  }

  private static void read(String line, Map<String, PendingDeletion> begun) throws IOException {
    try {
      var node = MAPPER.readTree(line);
      var key = node.path("object").asText() + " " + node.path("uid").asText();
      if (node.path("event").asText().equals(BEGIN)) {
        var at = Instant.parse(node.path("time").asText());
        begun.put(key, new PendingDeletion(node.path("run").asText(), at, target(node)));
      } else {
        begun.remove(key);
      }
    } catch (IOException | RuntimeException e) {
      throw new IOException("not a record: " + line, e);
    }
  }

  private static PendingDeletion.Target target(JsonNode node) {
    return SavedEntry.read(node.path("session"));
  }

  private static ObjectNode beginning(PendingDeletion pending) {
    var line = line(BEGIN, pending, pending.at());
    switch (pending.target()) {
      case Plan.Entry entry -> line.set("session", SavedEntry.write(entry));
    }
    return line;
  }

  private ObjectNode record(PendingDeletion pending, DeleteResult result) {
    var now = clock.instant();
    var line =
        switch (pending.target()) {
          case Plan.Entry entry ->
              line("deletion", pending, now)
                  .put(
                      "rule",
                      entry.verdict().rule().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        };
    line.put("ageSeconds", pending.target().age().toSeconds())
        .put("result", result.status().word())
        .put("seconds", Duration.between(pending.at(), now).toMillis() / 1000.0);
    if (!result.detail().isEmpty()) {
      line.put("detail", result.detail());
    }
    return line;
  }

  private static ObjectNode line(String event, PendingDeletion pending, Instant time) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("time", time.toString())
        .put("event", event)
        .put("run", pending.run())
        .put("object", pending.target().object())
        .put("uid", pending.target().uid());
  }

  private static String key(PendingDeletion pending) {
    // Whichever run it is in: a later try ends an earlier one, too.
    return pending.target().object() + " " + pending.target().uid();
  }

  private static UncheckedIOException cannotUse(AuditFile file, IOException e) {
    return new UncheckedIOException(
        "the records (prune.records.file) cannot be kept in %s: %s"
            .formatted(file.path(), e.getMessage()),
        e);
  }
}
