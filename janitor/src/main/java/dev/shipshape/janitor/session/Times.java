package dev.shipshape.janitor.session;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The times of a session; null if unknown.
 *
 * @param written when the object was last written, by the API server's clock: the latest possible
 *     completion. Set only if {@code completed} is null
 */
public record Times(
    @Nullable Instant created,
    @Nullable Instant started,
    @Nullable Instant completed,
    @Nullable Instant written) {

  /**
   * Returns the time from which the age counts: completion, else start, else creation. Empty if the
   * completion is before the start, or the time is zero.
   */
  public Optional<Instant> since() {
    if (completed != null && started != null && completed.isBefore(started)) {
      return Optional.empty();
    }
    return Optional.ofNullable(completed)
        .or(() -> Optional.ofNullable(started))
        .or(() -> Optional.ofNullable(created))
        .filter(time -> time.isAfter(Instant.EPOCH));
  }

  /**
   * Parses a time as CFS writes it: with {@code Z}, with an offset, or without, which means UTC.
   *
   * @throws DateTimeParseException if it has another form
   */
  public static Instant parse(String text) {
    return DateTimeFormatter.ISO_DATE_TIME.parseBest(
                text, OffsetDateTime::from, LocalDateTime::from)
            instanceof OffsetDateTime withOffset
        ? withOffset.toInstant()
        : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
  }
}
