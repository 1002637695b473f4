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
 * A line of the operator's log without the known frame around it: colours, a carriage return, a
 * JSON object with a message, a prefix and a time.
 *
 * @param level of the record that begins here, in upper case, empty if it names none; null if the
 *     line begins no record
 * @param text what follows the level: the logger, if any, and the message
 */
record LogLine(@Nullable String level, String text) {
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]{0,20}m");
  private static final Set<String> NO_PROBLEM = Set.of("TRACE", "DEBUG", "INFO", "NOTICE", "I");

  /** What stands around a message. The groups are the level and the text. */
  private static final List<Pattern> FRAMES =
      List.of(
          // A date and a time after a short prefix, as most others write it.
          Pattern.compile(
              "[^{]{0,100}?\\d{4}-\\d\\d-\\d\\d[T"
                  + " ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?[]\"\\s|-]{0,8}+(?:\\d{1,20}"
                  + " - \\d{1,20} - )?\\[?(?:level=)?"
                  + "(?:((?i)TRACE|DEBUG|INFO|NOTICE|WARNING|WARN|ERROR|CRITICAL|FATAL)\\b)?"
                  + "[]\\s:|-]{0,12}+(.*+)"),
          // E1125 10:00:00.000000 1 reflector.go:205] text
          Pattern.compile(
              "([IWEF])\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d+ +\\d+ [^\\]]{1,200}\\] ?(.*+)"),
          // 10:00:00.000 [thread] WARN logger - text, the time left out by some.
          Pattern.compile(
              "(?:\\d\\d:\\d\\d:\\d\\d[.,]\\d{1,9} )?\\[[^\\]]{1,200}\\]"
                  + " (TRACE|DEBUG|INFO|WARN|ERROR)\\b[\\s:-]*+(.*+)"));

  private static final ObjectMapper MAPPER = new ObjectMapper();

  boolean isRecord() {
    return level != null;
  }

  boolean isQuote() {
    return isRecord() && NO_PROBLEM.contains(level);
  }

  /** The lines of the operator's own that are in one line of the kubelet's. */
  static Stream<LogLine> of(String raw, Signature signature) {
    var line = withoutColours(raw);
    return signature.frame() == Signature.Frame.PLAIN
        ? Stream.of(new LogLine("", line))
        : ofJson(line, signature);
  }

  private static Stream<LogLine> ofJson(String line, Signature signature) {
    var json = line.startsWith("{") ? json(line) : MissingNode.getInstance();
    var message = text(json, signature.messageFields());
    if (message.isEmpty()) {
      return Stream.of(framed(line));
    }
    var named = text(json, List.of("level", "levelname", "severity")).toUpperCase(Locale.ROOT);
    // What klog writes in JSON has a verbosity unless it is an error.
    var level = named.isEmpty() && json.has("v") ? "INFO" : named;
    var details =
        Stream.of("error", "err", "exc_info", "exception", "stack_trace", "traceback")
            .flatMap(field -> json.path(field).asText("").lines());
    var lines = Stream.concat(message.lines(), details).toList();
    return IntStream.range(0, lines.size())
        .mapToObj(
            i -> {
              var part = framed(withoutColours(lines.get(i)));
              return i == 0 && (!part.isRecord() || !level.isEmpty())
                  ? new LogLine(level, part.text)
                  : part;
            });
  }

  private static LogLine framed(String line) {
    for (var each : FRAMES) {
      var frame = each.matcher(line);
      if (frame.matches()) {
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
