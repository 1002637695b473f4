package dev.shipshape.audit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The events of several logs in the order in which the API servers received the requests, to the
 * microsecond. Memory does not grow with the logs.
 */
public final class Chronology implements AutoCloseable {
  private final SpillingSorter sorter;
  private final EventCodec codec;
  private final ReadReport report;

  private Chronology(SpillingSorter sorter, EventCodec codec, ReadReport report) {
    this.sorter = sorter;
    this.codec = codec;
    this.report = report;
  }

  /**
   * The logs to read.
   *
   * @param logs files, folders, and {@code -} for standard input
   * @param temporary the folder for temporary files
   */
  public record Logs(List<String> logs, InputStream standardInput, Path temporary) {}

  /**
   * Reads and sorts.
   *
   * @throws IOException if a log cannot be read, with its name
   */
  static Chronology read(Logs logs, EventFilter filter, Line.Detail detail) throws IOException {
    return read(logs, filter, EventFilter.ALL, detail, EventCodec.Order.RECEIVED);
  }

  /**
   * As {@link #read(Logs, EventFilter, Line.Detail)}, in another order.
   *
   * @param asked marks the events that match; see {@link AuditEvent#asked}
   */
  static Chronology read(
      Logs logs, EventFilter filter, EventFilter asked, Line.Detail detail, EventCodec.Order order)
      throws IOException {
    var reader = new LogReader(LogFile.of(logs.logs()), logs.standardInput());
    var sorter = new SpillingSorter(logs.temporary());
    try {
      var report =
          reader.read(
              () -> {
                var writer = sorter.writer();
                var encoder = new EventCodec(detail, order);
                return line -> {
                  var wanted = filter.matches(line);
                  if (wanted) {
                    writer.add(encoder.encode(line, asked.matches(line)));
                  }
                  return wanted;
                };
              });
      return new Chronology(sorter, new EventCodec(detail, order), report);
    } catch (IOException | RuntimeException e) {
      sorter.close();
      throw e;
    }
  }

  public ReadReport report() {
    return report;
  }

  /** Iterates over the last stage of each request. Only one iteration at a time. */
  Iterator<LoggedRequest> requests() throws IOException {
    return new Events(sorter.sorted(), codec);
  }

  @Override
  public void close() throws IOException {
    sorter.close();
  }

  /** Skips duplicates and earlier stages. */
  private static final class Events implements Iterator<LoggedRequest> {
    private final SpillingSorter.Source records;
    private final EventCodec codec;
    private @Nullable LoggedRequest ahead;

    Events(SpillingSorter.Source records, EventCodec codec) {
      this.records = records;
      this.codec = codec;
      this.ahead = decodeNext();
    }

    @Override
    public boolean hasNext() {
      return ahead != null;
    }

    @Override
    public LoggedRequest next() {
      var current = ahead;
      if (current == null) {
        throw new NoSuchElementException();
      }
      var following = decodeNext();
      while (following != null && current.event().isSameRequest(following.event())) {
        // Of two copies of one stage, the larger one has the bodies.
        if (current.event().stage() != following.event().stage()
            || current.event().size() <= following.event().size()) {
          current = following;
        }
        following = decodeNext();
      }
      ahead = following;
      return current;
    }

    private @Nullable LoggedRequest decodeNext() {
      var record = records.next();
      return record == null ? null : codec.decode(record);
    }
  }
}
