package dev.shipshape.janitor.restart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A line of the operator's log without its frame: without colours, carriage return, JSON, prefix
 * and time.
 *
 * @param level of the record that begins with this line, in upper case, empty if it has none; null
 *     if the line begins no record
 * @param text the text after the level: the logger, if any, and the message
 */
record LogLine(@Nullable String level, String text) {
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]{0,20}m");

  /** Also of Serilog, and the numbers of pino and bunyan. */
  private static final Set<String> INFO_LEVELS =
      Set.of("TRACE", "DEBUG", "DBG", "INFO", "INF", "NOTICE", "I", "10", "20", "30");

  private static final Set<String> PROBLEM_LEVELS =
      Set.of("WARN WARNING WRN ERROR ERR FATAL CRITICAL PANIC W E F 40 50 60".split(" ", -1));

  /** How zap begins its names of verbosities from 2 on: LEVEL(-2). */
  private static final String VERBOSE = "LEVEL(-";

  private static final String LEVELS =
      "TRACE|DEBUG|INFO|NOTICE|WARNING|WARN|ERROR|CRITICAL|FATAL|LEVEL\\(-\\d+";

  /**
   * The formats around a message. The last group is the text, the others are the level, wherever it
   * stands. A line that matches none belongs to the record before it. Only a line feed ends a line.
   */
  private static final List<Pattern> FRAMES =
      List.of(
          // go-kit's logfmt: level=info ts=2026-11-25T10:00:00Z text
          Pattern.compile("level=(\\w{1,10}) (?:ts|time)=\\S{1,50} ((?s).*+)"),
          // A date and a time after a short prefix, as in most formats; or zap's 1.7950e+09.
          Pattern.compile(
              "(?:\\[?(%s)\\b[])\\s:|-]{0,12}+)?".formatted(LEVELS)
                  + "[^{]{0,100}?(?:\\d{4}[-/]\\d\\d[-/]\\d\\d[T"
                  + " ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|"
                  + " ?[+-]\\d\\d:?\\d\\d)?|\\d\\.\\d{1,12}[eE]\\+?\\d\\d)[]\"\\s|-]{0,8}+(?:\\d{1,20}"
                  + " - \\d{1,20} - )?\\[?(?:level=)?"
                  + "(?:((?i)%s|DBG|INF|WRN|ERR)\\b)?".formatted(LEVELS)
                  + "[])\\s:|-]{0,12}+"
                  // Or behind the logger or the thread; only upper case is no word of the message.
                  + "(?=(?:(?:\\[[^\\]]{1,100}+]|\\S{1,100}+)\\s++(?:-\\s++)?){1,3}?"
                  + "\\[?(%s)\\b|)((?s).*+)".formatted(LEVELS)),
          // klog: E1125 10:00:00.000000 1 reflector.go:205] text
          Pattern.compile(
              "([IWEF])\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d+ +\\d+ [^\\]]{1,200}\\] ?((?s).*+)"),
          // Logback: 10:00:00.000 [thread] WARN logger - text, with or without the time
          Pattern.compile(
              "(?:\\d\\d:\\d\\d:\\d\\d[.,]\\d{1,9} )?\\[[^\\]]{1,200}\\]"
                  + " (TRACE|DEBUG|INFO|WARN|ERROR)\\b[\\s:-]*+((?s).*+)"));

  /** The fields of JSON that hold a cause: a text, or with Quarkus an object. */
  private static final List<String> DETAILS =
      List.of(
          ("error err exc_info exception stack_trace stackTrace traceback error.message"
                  + " error.stack_trace")
              .split(" ", -1));

  private static final ObjectMapper MAPPER = new ObjectMapper();

  boolean isRecord() {
    return level != null;
  }

  /** Checks whether the record has level INFO or below, so that it can only quote a failure. */
  boolean isQuote() {
    return level != null && (INFO_LEVELS.contains(level) || level.startsWith(VERBOSE));
  }

  /** Checks whether the record reports a problem, so that it is no progress. */
  boolean isProblem() {
    return isRecord() && PROBLEM_LEVELS.contains(level);
  }

  /** Splits one line of the kubelet's log into the operator's lines: JSON may contain several. */
  static Stream<LogLine> of(String raw, Signature signature) {
    var line = withoutColours(raw);
    return signature.plain() ? Stream.of(new LogLine("", line)) : ofJson(line, signature);
  }

  private static Stream<LogLine> ofJson(String line, Signature signature) {
    var json = line.startsWith("{") ? json(line) : MissingNode.getInstance();
    var message = text(json, signature.messageFields());
    if (message.isEmpty()) {
      return Stream.of(framed(line));
    }
    var named =
        text(json, List.of("level", "levelname", "severity", "log.level")).toUpperCase(Locale.ROOT);
    // In JSON, klog writes a verbosity "v" for each record but errors, which have an "err".
    var level = !named.isEmpty() ? named : json.has("v") ? "INFO" : json.has("err") ? "ERROR" : "";
    var details =
        DETAILS.stream()
            .map(json::path)
            .map(detail -> detail.isContainerNode() ? detail.toString() : detail.asText(""))
            .filter(detail -> !detail.isEmpty());
    // The cause stands behind the message, as in a line of text.
    var lines =
        Stream.concat(Stream.of(message.stripTrailing()), details)
            .collect(Collectors.joining("\t"))
            .split("\n", -1);
    return IntStream.range(0, lines.length)
        .mapToObj(
            i -> {
              var part = framed(withoutColours(lines[i]));
              return i == 0 && (!part.isRecord() || !level.isEmpty())
                  ? new LogLine(level, part.text)
                  : part;
            });
  }

  private static LogLine framed(String line) {
    for (var pattern : FRAMES) {
      var frame = pattern.matcher(line);
      if (frame.matches()) {
        var level =
            IntStream.range(1, frame.groupCount())
                .mapToObj(frame::group)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
        return new LogLine(level.toUpperCase(Locale.ROOT), frame.group(frame.groupCount()));
      }
    }
    return new LogLine(null, line);
  }

  private static String withoutColours(String line) {
    return COLOUR.matcher(line).replaceAll("").stripTrailing();
  }

  private static JsonNode json(String line) {
    try {
      return MAPPER.readTree(line);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  private static String text(JsonNode json, List<String> fields) {
    return fields.stream()
        .map(field -> json.path(field).asText(""))
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse("");
  }
}
