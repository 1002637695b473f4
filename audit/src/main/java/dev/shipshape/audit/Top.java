package dev.shipshape.audit;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Counts requests by actor or by object. */
public final class Top {
  private Top() {}

  public enum By {
    ACTOR(AuditEvent::actor),
    RESOURCE(event -> event.object().groupResource()),
    VERB(AuditEvent::verb),
    CODE(event -> Integer.toString(event.code())),
    USER_AGENT(AuditEvent::userAgent),
    NAMESPACE(event -> event.object().namespace());

    @SuppressWarnings("ImmutableEnumChecker") // Method references without state.
    private final Function<AuditEvent, String> key;

    By(Function<AuditEvent, String> key) {
      this.key = key;
    }

    /** The value of the command line's option. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * One line of the list.
   *
   * @param bytes of the events' JSON
   * @param share of all requests, from 0 to 1
   * @param p50Micros latency in microseconds, without watches and connections, at most a tenth too
   *     high
   * @param p99Micros the 99th percentile
   * @param noOps writes that changed nothing, of {@code writes}
   * @param unjudged writes without the bodies that show whether they changed anything
   */
  public record Row(
      String key,
      long requests,
      long bytes,
      double share,
      long p50Micros,
      long p99Micros,
      long writes,
      long noOps,
      long unjudged) {}

  /** The rows, most requests first. */
  public record Result(List<Row> rows, ReadReport report) {}

  /**
   * Counts requests, each once.
   *
   * @throws IOException if a log cannot be read
   */
  public static Result of(Chronology.Logs logs, EventFilter filter, By by) throws IOException {
    // Requests that the filter does not match may show that a write changed nothing.
    try (var chronology =
        Chronology.read(
            logs,
            filter.onlyObjectsAndTime(),
            filter,
            RawEvent.Detail.VERSIONS,
            EventCodec.Order.RECEIVED)) {
      var usages = new HashMap<String, Usage>();
      var noOps = new NoOps();
      var requests = chronology.requests();
      for (var request = requests.next(); request != null; request = requests.next()) {
        var event = request.event();
        var noOp = noOps.isNoOp(event);
        if (event.asked()) {
          var key = by.key.apply(event);
          var usage = usages.computeIfAbsent(key.isEmpty() ? "(none)" : key, _ -> new Usage());
          usage.add(event, noOp, chronology.latest);
        }
      }
      var total = usages.values().stream().mapToLong(Usage::requests).sum();
      var rows =
          usages.entrySet().stream()
              .map(entry -> entry.getValue().row(entry.getKey(), total))
              .sorted(Comparator.comparingLong(Row::requests).reversed().thenComparing(Row::key))
              .toList();
      return new Result(rows, chronology.report());
    }
  }
}
