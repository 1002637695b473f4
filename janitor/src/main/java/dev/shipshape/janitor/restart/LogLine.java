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
 * JSON object with a message, a prefix and a time. No pattern backtracks over a long line.
 *
 * @param level of the record that begins here, in upper case, empty if it names none; null if the
 *     line begins no record
 * @param text what follows the level: the logger, if any, and the message
 */
record LogLine(@Nullable String level, String text) {
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]{0,20}m");
  private static final Pattern FRAME =
      Pattern.compile(
          "[^{]{0,100}?\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?"
              + "(?:Z|[+-]\\d\\d:?\\d\\d)?[]\\s|-]{0,8}+(?:\\d{1,20} - \\d{1,20} - )?\\[?"
              + "(?:(DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\\b)?[]\\s:|-]{0,12}+(.*+)");
  private static final Set<String> NO_PROBLEM = Set.of("TRACE", "DEBUG", "INFO", "NOTICE");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  boolean isRecord() {
    return level != null;
  }

  boolean isProblem() {
    return isRecord() && !NO_PROBLEM.contains(level);
  }

  /** The lines of the operator's own that are in one line of the kubelet's. */
  static Stream<LogLine> of(String raw) {
    var line = COLOUR.matcher(raw).replaceAll("").stripTrailing();
    var json = line.startsWith("{") ? json(line) : MissingNode.getInstance();
    var message = text(json, "message", "msg", "log");
    if (message.isEmpty()) {
      return Stream.of(framed(line));
    }
    var level = text(json, "level", "levelname", "severity").toUpperCase(Locale.ROOT);
    var trace = text(json, "exc_info", "exception", "stack_trace", "traceback");
    var lines = Stream.concat(message.lines(), trace.lines()).toList();
    return IntStream.range(0, lines.size())
        .mapToObj(
            i -> {
              var part = framed(COLOUR.matcher(lines.get(i)).replaceAll("").stripTrailing());
              var isFirst = i == 0 && !part.isRecord() && !level.isEmpty();
              return isFirst ? new LogLine(level, part.text) : part;
            });
  }

  private static LogLine framed(String line) {
    var frame = FRAME.matcher(line);
    if (!frame.matches()) {
      return new LogLine(null, line);
    }
    return new LogLine(frame.group(1) == null ? "" : frame.group(1), frame.group(2));
  }

  private static JsonNode json(String line) {
    try {
      return MAPPER.readTree(line);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  private static String text(JsonNode json, String... fields) {
    return List.of(fields).stream()
        .map(field -> json.path(field).asText(""))
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse("");
  }
}
