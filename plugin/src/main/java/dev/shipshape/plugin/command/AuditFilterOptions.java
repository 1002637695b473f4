package dev.shipshape.plugin.command;

import dev.shipshape.audit.EventFilter;
import dev.shipshape.audit.ObjectPattern;
import dev.shipshape.audit.TextPattern;
import dev.shipshape.audit.Times;
import java.time.DateTimeException;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Selects requests of the logs. Of several values of one option, one must match. */
final class AuditFilterOptions {
  @Option(
      names = "--object",
      paramLabel = "RESOURCE/[NAMESPACE/]NAME",
      description =
          "Only of these objects, such as pods/web-* or deployments.apps/shop/web or"
              + " pods/shop/web-0/status. Repeatable.")
  private List<ObjectPattern> objects = List.of();

  @Option(
      names = "--uid",
      paramLabel = "UID",
      converter = WordConverter.class,
      description = "Only of objects with this uid. Repeatable.")
  private List<String> uids = List.of();

  @Option(
      names = "--actor",
      paramLabel = "USER",
      description = "Only by this user, or as this user; * for any characters. Repeatable.")
  private List<TextPattern> actors = List.of();

  @Option(
      names = "--verb",
      paramLabel = "VERB",
      converter = WordConverter.class,
      split = ",",
      description = "Only with this verb. Repeatable.")
  private List<String> verbs = List.of();

  @Option(
      names = "--code",
      paramLabel = "CODE",
      split = ",",
      description = "Only with this status code, such as 409 or 5*. Repeatable.")
  private List<TextPattern> codes = List.of();

  @Option(
      names = "--user-agent",
      paramLabel = "TEXT",
      description = "Only by this user agent; * for any characters. Repeatable.")
  private List<TextPattern> userAgents = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description =
          "Only received at this time or later, such as 2026-11-23T04:05:06.789Z, 2026-11-23 or"
              + " 04:05 (of any day). UTC, unless it has a zone.")
  private long from = Long.MIN_VALUE;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "Only received before this time.")
  private long to = Long.MAX_VALUE;

  @Option(names = "--mutations", description = "Only requests that ask to change something.")
  private boolean mutations;

  boolean hasObjects() {
    return !objects.isEmpty();
  }

  /** Warns of each of several --object patterns without a match: it may be misspelt. */
  void warnOfUnmatched(AuditRun run) {
    if (objects.size() > 1) {
      objects.stream()
          .filter(object -> !object.hasMatched())
          .forEach(object -> run.warn("no request matches --object " + object));
    }
  }

  EventFilter filter() {
    return filter(objects);
  }

  /** Returns the filter with other objects than the option's. */
  EventFilter filter(List<ObjectPattern> these) {
    return new EventFilter(
        these, Set.copyOf(uids), actors, Set.copyOf(verbs), codes, userAgents, from, to, mutations);
  }

  /** Refuses an empty one: as of a variable that is not set, it would select what has none. */
  static final class WordConverter implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.isBlank()) {
        throw new TypeConversionException("it must not be empty");
      }
      return text.strip();
    }
  }

  static final class TimeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return Times.parseBound(text);
      } catch (DateTimeException e) {
        throw new TypeConversionException(
            "'%s' is no time such as 2026-11-23T04:05:06.789Z, 2026-11-23 or 04:05"
                .formatted(text));
      }
    }
  }
}
