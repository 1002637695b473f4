package dev.shipshape.janitor.session;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ISO_DATE_TIME.withZone(ZoneOffset.UTC);

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
   * Parses a time as CFS and kubectl write it: with {@code Z}, with an offset, or without, which
   * means UTC. Empty if it is absent or has another form.
   */
  public static Optional<Instant> parse(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(time -> FORMAT.parse(time, Instant::from));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
