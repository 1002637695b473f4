package dev.shipshape.audit;

import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was read.
 *
 * @param matched events that the filter let through
 * @param logs in the order of their names
 */
public record ReadReport(long matched, List<Log> logs) {
  /**
   * What was read of one log.
   *
   * @param name the file's; of an archive, with the entry's behind a colon
   * @param events all, before the filter
   * @param unread how many records could not be read; most are lines
   * @param example the first of them; null if there is none
   */
  public record Log(String name, long lines, long events, long unread, @Nullable Unread example) {
    @Override
    public String toString() {
      var read = "%s: %d lines, %d events".formatted(name, lines, events);
      if (lines == 0 && unread == 0) {
        return name + ": is empty";
      }
      return example == null
          ? read
          : "%s; %d not read, such as line %d, which %s"
              .formatted(read, unread, example.line(), example.what());
    }
  }

  /**
   * What was read of a part of one log.
   *
   * @param from where in the log the part begins, in bytes
   */
  record Part(
      String log, long from, long lines, long events, long unread, @Nullable Unread example) {}

  static ReadReport of(long matched, List<Part> parts) {
    var logs = new TreeMap<String, Log>();
    parts.stream()
        .sorted(Comparator.comparingLong(Part::from))
        .forEach(part -> logs.merge(part.log(), log(part), ReadReport::add));
    return new ReadReport(matched, List.copyOf(logs.values()));
  }

  private static Log log(Part part) {
    return new Log(part.log(), part.lines(), part.events(), part.unread(), part.example());
  }

  /** A part's lines are counted from where it begins. */
  private static Log add(Log log, Log next) {
    var example = log.example();
    if (example == null && next.example() != null) {
      example = new Unread(log.lines() + next.example().line(), next.example().what());
    }
    return new Log(
        log.name(),
        log.lines() + next.lines(),
        log.events() + next.events(),
        log.unread() + next.unread(),
        example);
  }

  /** All events, before the filter. */
  public long events() {
    return logs.stream().mapToLong(Log::events).sum();
  }

  /** How many records could not be read. */
  public long unread() {
    return logs.stream().mapToLong(Log::unread).sum();
  }
}
