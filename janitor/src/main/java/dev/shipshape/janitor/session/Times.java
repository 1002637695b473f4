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
 * The times of a session; each null where it is not known.
 *
 * @param written when it was last written, by the API server's clock; asked for only where nothing
 *     says when it completed, which cannot have been later
 */
public record Times(
    @Nullable Instant created,
    @Nullable Instant started,
    @Nullable Instant completed,
    @Nullable Instant written) {

  /**
   * The time that a session's age counts from: completion, else start, else creation. A completion
   * before the start, or a zero time, proves no age.
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
   * Reads a time as CFS writes it: with {@code Z}, with an offset, or naive, which means UTC.
   *
   * @throws DateTimeParseException where it is none of these
   */
  public static Instant parse(String text) {
    return DateTimeFormatter.ISO_DATE_TIME.parseBest(
                text, OffsetDateTime::from, LocalDateTime::from)
            instanceof OffsetDateTime withOffset
        ? withOffset.toInstant()
        : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
  }
}
