package dev.shipshape.janitor;

import dev.shipshape.janitor.prune.Policy;
import dev.shipshape.janitor.prune.Throughput;
import dev.shipshape.service.Section;
import io.fabric8.kubernetes.api.model.Quantity;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code prune}: see docs/reference/settings.md.
 *
 * @param deadline how long a run waits until its deleted sessions are gone
 * @param archive where sessions are archived before their deletion; null for none
 */
public record PruneSettings(
    boolean armed,
    Schedule schedule,
    Policy policy,
    Throughput throughput,
    Duration deadline,
    @Nullable Archive archive) {

  /** Where deleted sessions are archived; {@code maxBytes} is the size of the whole folder. */
  public record Archive(Path folder, long maxBytes) {}

  private static final long DEFAULT_ARCHIVE = 512L << 20;
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration MIN_GRACE = Duration.ofMinutes(1);

  /** Returns the archive in another folder. */
  public Archive archiveIn(Path folder) {
    return new Archive(folder, archive == null ? DEFAULT_ARCHIVE : archive.maxBytes());
  }

  static PruneSettings read(Section section) {
    return new PruneSettings(
        section.flag("armed", false),
        Schedule.read(section),
        policy(section),
        new Throughput(
            section.integer("workers", 16, 1, 64),
            section.integer("deletesPerSecond", 50, 1, 10_000),
            PAUSE),
        section.duration("waitUntilGone", Duration.ofMinutes(15)),
        section.has("archive") ? archive(section.section("archive")) : null);
  }

  private static Archive archive(Section section) {
    section.required("folder");
    return new Archive(
        section.parsed("folder", Path.of("."), Path::of),
        section.parsed("maxSize", DEFAULT_ARCHIVE, PruneSettings::bytes));
  }

  private static long bytes(String quantity) {
    try {
      var bytes = Quantity.getAmountInBytes(Quantity.parse(quantity)).longValueExact();
      if (bytes > 0) {
        return bytes;
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      // Reported below, with an example.
    }
    throw new IllegalArgumentException("must be a size such as 512Mi");
  }

  private static Policy policy(Section section) {
    var olderThan = section.positive("olderThan", Duration.ofDays(7));
    var olderThanFailed = section.positive("olderThanFailed", olderThan.multipliedBy(4));
    if (olderThanFailed.compareTo(olderThan) < 0) {
      section.problem("olderThanFailed", "must not be shorter than olderThan");
    }
    var grace = section.duration("grace", Duration.ofMinutes(5));
    if (grace.compareTo(MIN_GRACE) < 0) {
      section.problem("grace", "must be 1m or more: the batcher must have seen a session end");
    }
    return new Policy(
        olderThan,
        olderThanFailed,
        grace,
        section.flag("imageResults", false),
        section.integer("keepNewest", 0, 0, 10_000),
        // A run holds them in memory: the chart's 128 MiB are enough for 30,000 (measured).
        section.integer("maxPerRun", 2_000, 1, 20_000),
        section.has("maxPercent") ? section.integer("maxPercent", 1, 1, 100) : null,
        section.positive("clockTolerance", Duration.ofSeconds(60)));
  }
}
