package dev.shipshape.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Finds whole events. */
public final class EventSearch {
  private static final int MAX_ENTRIES = 1000;
  private static final Pattern TIME_OF_DAY = Pattern.compile("\\d\\d:\\d\\d.*");

  private EventSearch() {}

  /**
   * One stage of a request.
   *
   * @param received in microseconds since 1970
   * @param source the log, with the host if the line names one
   * @param json the event, without what Secrets and tokens hold
   */
  public record Entry(long received, String source, ObjectNode json) {}

  /**
   * What was found, ordered by time; at most 1,000.
   *
   * @param matched how many match
   */
  public record Result(List<Entry> entries, long matched, ReadReport report) {}

  /**
   * Finds requests.
   *
   * @param which an auditID, or the beginning of a time as timelines show it, with or without the
   *     day
   * @throws IOException if a log cannot be read
   */
  public static Result find(Chronology.Logs logs, String which) throws IOException {
    var entries = new ArrayList<Entry>();
    var wanted = wanted(which);
    var report =
        new LogReader(LogFile.of(logs.logs()), logs.standardInput())
            .read(() -> event -> wanted.test(event) && add(event, entries));
    entries.sort(Comparator.comparingLong(Entry::received).thenComparing(Entry::source));
    var seen = new HashSet<ObjectNode>();
    var all = entries.size();
    entries.removeIf(entry -> !seen.add(entry.json()));
    return new Result(entries, report.matched() - (all - entries.size()), report);
  }

  private static boolean add(RawEvent event, List<Entry> entries) {
    synchronized (entries) {
      if (entries.size() < MAX_ENTRIES) {
        entries.add(new Entry(event.received(), event.source(), event.json()));
      }
    }
    return true;
  }

  private static Predicate<RawEvent> wanted(String which) {
    var time = which.replace(' ', 'T').replaceFirst("Z$", "");
    var from = TIME_OF_DAY.matcher(which).matches() ? "yyyy-mm-ddT".length() : 0;
    return event ->
        event.text(Field.AUDIT_ID).equals(which)
            || Times.format(event.received()).startsWith(time, from);
  }
}
