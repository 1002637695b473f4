package dev.shipshape.janitor.restart;

import static dev.shipshape.service.Section.written;

import dev.shipshape.service.BadSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The review of a log file by a signature, as of the last line.
 *
 * @param detail of the diagnosis, one line; may be empty
 * @param lines the number of lines
 * @param first the earliest time
 * @param last the latest time
 * @param counts the number of lines by {@link Match#as}, also outside the window
 * @param matches the first matching lines
 */
public record LogReview(
    String signature,
    Diagnosis.Kind diagnosis,
    String detail,
    long lines,
    Instant first,
    Instant last,
    Map<String, Integer> counts,
    List<Match> matches,
    Signature.Remedy remedy,
    String advice) {
  private static final int MAX_MATCHES = 1_000;
  private static final int MAX_TEXT_LENGTH = 200;

  /** What {@code kubectl logs --timestamps --prefix} adds: always nine digits of fraction. */
  private static final Pattern KUBELET_TIME =
      Pattern.compile(
          "^(?:\\[pod/\\S{1,300}]"
              + " )?\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}(?:Z|[+-]\\d\\d:\\d\\d)"
              + " (?:std(?:out|err) [FP] )?");

  /** What stern, kubetail, journald and {@code kubectl logs --prefix} put before klog's header. */
  private static final Pattern KLOG_PREFIX =
      Pattern.compile(
          "^(?:(?!\\d{4}-\\d\\d)\\S{1,300} ){1,5}?"
              + "(?=[IWEF]\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d{1,9} )");

  private static final Set<LogScan.Role> FAILURES =
      EnumSet.of(LogScan.Role.FAILURE, LogScan.Role.SAME_FAILURE);

  private static final int LONGEST_HEAD = 4096;

  /** A head line, as logs have it that are exported as CSV: their lines are quoted. */
  private static final Pattern CSV_HEAD =
      Pattern.compile("\ufeff?\"?[@\\w]+\"?(?:,\"?[@\\w][\\w. ]*\"?){1,200}\\s*");

  /**
   * A line that matches the signature.
   *
   * @param line its number, from 1
   * @param as {@code failure}, {@code same-failure} (a further line of a failure), {@code quote}
   *     (of level INFO, which does not count), {@code exception} or {@code progress}
   */
  public record Match(long line, Instant time, String as, String text) {}

  /** Reviews a log file; refuses one that cannot be read or has no line with a time. */
  public static LogReview of(Path file, Signature signature) throws BadSettings {
    return of(file, signature, Duration.ZERO);
  }

  static LogReview of(Path file, Signature signature, Duration silence) throws BadSettings {
    try {
      return new Reading(file, signature, silence).review();
    } catch (NoSuchFileException e) {
      throw new BadSettings(List.of(file + ": there is no such file"));
    } catch (IOException e) {
      throw new BadSettings(List.of("%s: could not be read: %s".formatted(file, e)));
    }
  }

  /** Reads the time of each line; a line without a time has that of the line before. */
  private static final class LineTimes {
    private static final int MAX_PREFIX = 300;
    private static final String DATE =
        "(\\d{4}[-/]\\d\\d[-/]\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)(?:[.,](\\d{1,9}))?"
            + "(Z|[+-]\\d\\d:?\\d\\d)?";

    /** Not in a line of more text to the one before, such as that of a certificate. */
    private static final Pattern DATED =
        Pattern.compile("^(?:\\s{1,8}|(?!\\s)[^{]{0,300}?)" + DATE);

    /** Of JSON, a date in another field may be that of an object. */
    private static final Pattern FIELD =
        Pattern.compile(
            "(?i)\"@?(?:timestamp|asctime|datetime|date|(?:event_?|log_?)?time|ts|t|(?:written|created|logged)_at)\":\\s*\""
                + DATE);

    private static final Pattern KLOG =
        Pattern.compile("^[IWEF](\\d\\d)(\\d\\d) (\\d\\d:\\d\\d:\\d\\d)\\.(\\d{1,9}) ");

    /** When the log was last written: klog's lines have no year. */
    private final Instant modified;

    /** The same, or now: a file from an archive may have any time. */
    private final Instant latest;

    private Instant time = Instant.EPOCH;
    private boolean isOwn;

    LineTimes(Instant modified) {
      this.modified = modified;
      var now = Instant.now();
      this.latest = modified.isAfter(now) ? modified : now;
    }

    Instant of(String line) {
      isOwn = false;
      try {
        // A later one is as in the text of a certificate.
        var own = read(line).filter(time -> isBefore(time, latest));
        isOwn = own.isPresent();
        time = own.orElse(time);
      } catch (DateTimeException e) {
        // Not a valid time.
      }
      return time;
    }

    /** Whether the last line has a time itself. */
    boolean isOwn() {
      return isOwn;
    }

    private Optional<Instant> read(String line) {
      var klog = KLOG.matcher(line);
      if (klog.find()) {
        var year = modified.atOffset(ZoneOffset.UTC).getYear();
        var day = "%s-%s".formatted(klog.group(1), klog.group(2));
        return at(year + "-" + day, klog.group(3), klog.group(4), null)
            .filter(time -> isBefore(time, modified))
            .or(() -> at(year - 1 + "-" + day, klog.group(3), klog.group(4), null));
      }
      var head = line.substring(0, Math.min(MAX_PREFIX, line.length()));
      return Stream.of(DATED.matcher(head), FIELD.matcher(line))
          .filter(Matcher::find)
          .findFirst()
          .flatMap(dated -> at(dated.group(1), dated.group(2), dated.group(3), dated.group(4)));
    }

    private static boolean isBefore(Instant time, Instant end) {
      return time.isBefore(end.plus(Duration.ofDays(1)));
    }

    private static Optional<Instant> at(
        String date, String time, @Nullable String fraction, @Nullable String zone) {
      var part = fraction == null ? "" : "." + fraction;
      var offset = zone == null ? "Z" : zone.replaceFirst("(\\d\\d)(\\d\\d)$", "$1:$2");
      return Optional.of(
          OffsetDateTime.parse(date.replace('/', '-') + "T" + time + part + offset).toInstant());
    }
  }

  private record Reading(Path file, Signature signature, Duration silence) {
    LogReview review() throws IOException, BadSettings {
      var modified = Files.getLastModifiedTime(file).toInstant();
      var range = new Instant[] {Instant.MAX, Instant.MIN};
      var ends = new Instant[2];
      var isCsv = new boolean[1];
      var count =
          read(
              new LineTimes(modified),
              (number, time, line) -> {
                isCsv[0] |= number == 1 && isCsvHead(line);
                if (time.isAfter(Instant.EPOCH)) {
                  ends[0] = ends[0] == null ? time : ends[0];
                  ends[1] = time;
                  range[0] = time.isBefore(range[0]) ? time : range[0];
                  range[1] = time.isAfter(range[1]) ? time : range[1];
                }
              });
      if (isCsv[0]) {
        throw new BadSettings(List.of(file + ": is CSV: export the lines as they were written"));
      }
      if (range[1].equals(Instant.MIN)) {
        throw new BadSettings(
            List.of(
                file + ": no line has a time; kubectl logs --timestamps writes it before each"));
      }
      if (ends[1].isBefore(ends[0])) {
        throw new BadSettings(
            List.of(file + ": its last line is older than its first: put the oldest first (tac)"));
      }
      var now = range[1].plus(silence);
      var scan = new LogScan(signature, now.minus(signature.window()), now);
      var counts = new TreeMap<String, Integer>();
      var matches = new ArrayList<Match>();
      var times = new LineTimes(modified);
      var untimed = new long[1];
      var lines =
          read(
              times,
              (number, time, line) -> {
                var role = scan.accept(time, line);
                if (role == LogScan.Role.NONE) {
                  return;
                }
                // The lines of a traceback have the time of their record.
                if (untimed[0] == 0
                    && FAILURES.contains(role)
                    && !times.isOwn()
                    && LogLine.of(line, signature).allMatch(LogLine::isRecord)) {
                  untimed[0] = number;
                }
                var as = written(role);
                counts.merge(as, 1, Integer::sum);
                if (matches.size() < MAX_MATCHES) {
                  var text = line.substring(0, Math.min(MAX_TEXT_LENGTH, line.length()));
                  matches.add(new Match(number, time, as, text));
                }
              });
      if (lines < count) {
        throw new IOException("it was truncated meanwhile");
      }
      if (untimed[0] > 0) {
        throw new BadSettings(
            List.of(
                "%s:%d: is a failure without a time; kubectl logs --timestamps writes it before each line"
                    .formatted(file, untimed[0])));
      }
      var diagnosis = scan.diagnosis();
      return new LogReview(
          signature.name(),
          diagnosis.kind(),
          diagnosis.detail(),
          lines,
          range[0],
          range[1],
          counts,
          matches,
          signature.remedy(),
          signature.advice());
    }

    @FunctionalInterface
    private interface LineHandler {
      void accept(long number, Instant time, String line);
    }

    /** Returns the number of lines. */
    private long read(LineTimes times, LineHandler handler) throws IOException {
      var number = new long[1];
      try (var log = Files.newInputStream(file)) {
        BoundedLines.forEach(
            log,
            raw -> {
              var line = KLOG_PREFIX.matcher(raw).replaceFirst("");
              handler.accept(
                  ++number[0], times.of(line), KUBELET_TIME.matcher(line).replaceFirst(""));
            });
      }
      return number[0];
    }
  }

  private static boolean isCsvHead(CharSequence line) {
    return line.length() <= LONGEST_HEAD && CSV_HEAD.matcher(line).matches();
  }
}
