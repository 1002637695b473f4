package dev.shipshape.janitor.restart;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The format of a log line around its message. A pattern's groups are the level and the text. */
public enum LogFrame {
  /** Tries all others but plain. A line that matches none belongs to the record before it. */
  AUTO(null),
  /** No frame: each line is a record. */
  PLAIN(null),
  /** A JSON object. */
  JSON(null),
  /** {@code E1125 10:00:00.000000 1 reflector.go:205] text}. */
  KLOG(Pattern.compile("([IWEF])\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d+ +\\d+ [^\\]]{1,200}\\] ?(.*+)")),
  /** {@code 10:00:00.000 [thread] WARN logger - text}, with or without the time. */
  LOGBACK(
      Pattern.compile(
          "(?:\\d\\d:\\d\\d:\\d\\d[.,]\\d{1,9} )?\\[[^\\]]{1,200}\\]"
              + " (TRACE|DEBUG|INFO|WARN|ERROR)\\b[\\s:-]*+(.*+)")),
  /** A date and a time after a short prefix, as in most other formats. */
  DATED(
      Pattern.compile(
          "[^{]{0,100}?\\d{4}-\\d\\d-\\d\\d[T"
              + " ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?[]\"\\s|-]{0,8}+(?:\\d{1,20}"
              + " - \\d{1,20} - )?\\[?(?:level=)?"
              + "(?:((?i)TRACE|DEBUG|INFO|NOTICE|WARNING|WARN|ERROR|CRITICAL|FATAL)\\b)?"
              + "[]\\s:|-]{0,12}+(.*+)"));

  final @Nullable Pattern pattern;

  LogFrame(@Nullable Pattern pattern) {
    this.pattern = pattern;
  }
}
