package dev.shipshape.audit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was read.
 *
 * @param matched events that match the filter
 * @param logs ordered by name
 */
public record ReadReport(long matched, List<Log> logs) {
  /**
   * What was read of one log.
   *
   * @param name of the file; in an archive, followed by a colon and the entry's
   * @param events before the filter
   * @param unread how many records could not be read; most are lines
   * @param example the first of them; null if there is none
   * @param isCut whether it could not be read to its end
   */
  public record Log(
      String name, long lines, long events, long unread, @Nullable Unread example, boolean isCut) {
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

  /** All events, before the filter. */
  public long events() {
    return logs.stream().mapToLong(Log::events).sum();
  }

  public long unread() {
    return logs.stream().mapToLong(Log::unread).sum();
  }
}
