package dev.shipshape.janitor.restart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
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
  private static final Set<String> INFO_LEVELS = Set.of("TRACE", "DEBUG", "INFO", "NOTICE", "I");
  private static final Set<String> PROBLEM_LEVELS =
      Set.of("WARN", "WARNING", "ERROR", "FATAL", "CRITICAL", "PANIC", "W", "E", "F");
  private static final List<LogFrame> HEADERS =
      List.of(LogFrame.DATED, LogFrame.KLOG, LogFrame.LOGBACK);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  boolean isRecord() {
    return level != null;
  }

  /** Checks whether the record has level INFO or below, so that it can only quote a failure. */
  boolean isQuote() {
    return isRecord() && INFO_LEVELS.contains(level);
  }

  /** Checks whether the record reports a problem, so that it is no progress. */
  boolean isProblem() {
    return isRecord() && PROBLEM_LEVELS.contains(level);
  }

  /** Splits one line of the kubelet's log into the operator's lines: JSON may contain several. */
  static Stream<LogLine> of(String raw, Signature signature) {
    var line = withoutColours(raw);
    return switch (signature.frame()) {
      case PLAIN -> Stream.of(new LogLine("", line));
      case JSON -> ofJson(line, signature, List.of());
      case AUTO -> ofJson(line, signature, HEADERS);
      case KLOG, LOGBACK, DATED -> Stream.of(framed(line, List.of(signature.frame())));
    };
  }

  private static Stream<LogLine> ofJson(String line, Signature signature, List<LogFrame> headers) {
    var json = line.startsWith("{") ? json(line) : MissingNode.getInstance();
    var message = text(json, signature.messageFields());
    if (message.isEmpty()) {
      return Stream.of(framed(line, headers));
    }
    var named = text(json, List.of("level", "levelname", "severity")).toUpperCase(Locale.ROOT);
    // In JSON, klog writes a verbosity "v" for each record but errors.
    var level = named.isEmpty() && json.has("v") ? "INFO" : named;
    var details =
        Stream.of("error", "err", "exc_info", "exception", "stack_trace", "traceback")
            .flatMap(field -> json.path(field).asText("").lines());
    var lines = Stream.concat(message.lines(), details).toList();
    return IntStream.range(0, lines.size())
        .mapToObj(
            i -> {
              var part = framed(withoutColours(lines.get(i)), HEADERS);
              return i == 0 && (!part.isRecord() || !level.isEmpty())
                  ? new LogLine(level, part.text)
                  : part;
            });
  }

  private static LogLine framed(String line, List<LogFrame> headers) {
    for (var header : headers) {
      var frame = header.pattern == null ? null : header.pattern.matcher(line);
      if (frame != null && frame.matches()) {
        var level = frame.group(1) == null ? "" : frame.group(1).toUpperCase(Locale.ROOT);
        return new LogLine(level, frame.group(2));
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
