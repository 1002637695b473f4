package dev.shipshape.audit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The events of several logs in the order in which the API servers received the requests, to the
 * microsecond. Memory does not grow with the logs.
 */
public final class Chronology implements AutoCloseable {
  private final SpillingSorter sorter;
  private final EventCodec codec;
  private final ReadReport report;

  /** When the last request of the logs was received, also if the filter leaves it out. */
  final long latest;

  private Chronology(SpillingSorter sorter, EventCodec codec, ReadReport report, long latest) {
    this.sorter = sorter;
    this.codec = codec;
    this.report = report;
    this.latest = latest;
  }

  /**
   * The logs to read.
   *
   * @param logs files, folders, and {@code -} for standard input
   * @param temporary the folder for temporary files
   */
  public record Logs(List<String> logs, InputStream standardInput, Path temporary) {}

  /**
   * @throws IOException if a log cannot be read, with its name
   */
  static Chronology read(Logs logs, EventFilter filter, RawEvent.Detail detail) throws IOException {
    return read(logs, filter, EventFilter.ALL, detail, EventCodec.Order.RECEIVED);
  }

  /**
   * As {@link #read(Logs, EventFilter, RawEvent.Detail)}, in another order.
   *
   * @param asked marks the events that match; see {@link AuditEvent#asked}
   */
  static Chronology read(
      Logs logs,
      EventFilter filter,
      EventFilter asked,
      RawEvent.Detail detail,
      EventCodec.Order order)
      throws IOException {
    var reader = new LogReader(LogFile.of(logs.logs()), logs.standardInput());
    var sorter = new SpillingSorter(logs.temporary());
    var latest = new AtomicLong();
    try {
      var report =
          reader.read(
              () -> {
                var writer = sorter.writer();
                var encoder = new EventCodec(detail, order);
                return event -> {
                  latest.accumulateAndGet(event.received(), Math::max);
                  if (!filter.matches(event)) {
                    return false;
                  }
                  var matches = asked.matches(event);
                  writer.add(encoder.encode(event, matches));
                  return matches;
                };
              });
      return new Chronology(sorter, new EventCodec(detail, order), report, latest.get());
    } catch (IOException | RuntimeException e) {
      sorter.close();
      throw e;
    }
  }

  public ReadReport report() {
    return report;
  }

  /** Returns the last stages of requests, one by one; null at the end. */
  interface Requests {
    @Nullable LoggedRequest next() throws IOException;
  }

  /** Skips duplicates and earlier stages. Only one iteration at a time. */
  Requests requests() throws IOException {
    var records = sorter.sorted();
    var ahead = new AtomicReference<@Nullable LoggedRequest>(decoded(records.next()));
    return () -> {
      var current = ahead.get();
      if (current == null) {
        return null;
      }
      var next = decoded(records.next());
      while (next != null && current.event().isSameRequest(next.event())) {
        // Of two copies of one stage, the larger one has the bodies.
        if (current.event().stage() != next.event().stage()
            || current.event().size() <= next.event().size()) {
          current = next;
        }
        next = decoded(records.next());
      }
      ahead.set(next);
      return current;
    };
  }

  private @Nullable LoggedRequest decoded(byte @Nullable [] record) {
    return record == null ? null : codec.decode(record);
  }

  @Override
  public void close() throws IOException {
    sorter.close();
  }
}
