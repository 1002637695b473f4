package dev.shipshape.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes events as rows; memory does not grow with their number. */
final class TimelineRows {
  private static final int BUFFER = 64 << 10;

  /** Column widths are measured by this many rows; a later, longer cell widens its column. */
  private static final int MEASURED_ROWS = 500;

  /** A column with its cell for people and its cell for programs. */
  private record Column(
      String title, Function<AuditEvent, String> people, Function<AuditEvent, String> csv) {
    Column(String title, Function<AuditEvent, String> cell) {
      this(title, cell, cell);
    }
  }

  private static final Set<String> WIDE = Set.of("sourceIPs", "impersonator", "message", "uri");

  private static final List<Column> COLUMNS =
      List.of(
          new Column("time", event -> Times.format(event.received())),
          new Column("user", AuditEvent::actor),
          new Column("verb", AuditEvent::verb),
          new Column("code", event -> event.code() == 0 ? "" : Integer.toString(event.code())),
          new Column("resource", event -> event.object().groupResource()),
          new Column("namespace", event -> event.object().namespace()),
          new Column("name", event -> event.object().name()),
          new Column("subresource", event -> event.object().subresource()),
          new Column(
              "latency",
              event -> Times.duration(event.latency()),
              event -> Times.seconds(event.latency())),
          new Column("source", AuditEvent::source),
          new Column("sourceIPs", event -> withoutMarks(event.sourceIps())),
          new Column("impersonator", AuditEvent::impersonator),
          new Column("message", AuditEvent::message),
          new Column("uri", event -> event.object().resource().isEmpty() ? event.uri() : ""),
          new Column("auditID", AuditEvent::auditId));

  private final Timeline.Form form;
  private final boolean following;
  private final List<Column> columns;
  private final int[] widths;
  private final Writer out;
  private final JsonGenerator json;
  private final StringBuilder line = new StringBuilder();

  /** Rows of a table that are held back until all widths are measured. */
  private final List<List<String>> waiting = new ArrayList<>();

  private boolean measured;

  /**
   * Begins with the titles.
   *
   * @param following whether to write each row at once
   */
  TimelineRows(Timeline.Form form, boolean following, OutputStream out) throws IOException {
    this.form = form;
    this.following = following;
    columns =
        COLUMNS.stream()
            .filter(column -> form != Timeline.Form.TABLE || !WIDE.contains(column.title()))
            .toList();
    widths = new int[columns.size()];
    this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFER);
    json = Json.MAPPER.getFactory().createGenerator(this.out);
    json.setPrettyPrinter(new MinimalPrettyPrinter(""));
    switch (form) {
      case CSV -> csv(column -> column.title().replace("latency", "latency_seconds"));
      case JSON -> {}
      default -> row(column -> column.title().toUpperCase(Locale.ROOT));
    }
    if (following) {
      end();
    }
  }

  void add(LoggedRequest request) throws IOException {
    var event = request.event();
    switch (form) {
      case CSV -> csv(column -> column.csv().apply(event));
      case JSON -> object(request, json);
      default -> row(column -> Text.printableLine(column.people().apply(event)));
    }
    if (following) {
      end();
    }
  }

  /** Writes the rows that were held back. */
  void end() throws IOException {
    measured = true;
    for (var row : waiting) {
      padded(row);
    }
    waiting.clear();
    json.flush();
  }

  private void row(Function<Column, String> cell) throws IOException {
    var row = columns.stream().map(cell).toList();
    for (var i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], row.get(i).length());
    }
    if (measured) {
      padded(row);
    } else {
      waiting.add(row);
      if (waiting.size() > MEASURED_ROWS) {
        end();
      }
    }
  }

  private void padded(List<String> row) throws IOException {
    line.setLength(0);
    for (var i = 0; i < widths.length - 1; i++) {
      line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
    }
    out.append(line).append(row.getLast()).append('\n');
  }

  /** RFC 4180, except that lines end with a line feed alone, as other tools here expect. */
  private void csv(Function<Column, String> cell) throws IOException {
    line.setLength(0);
    for (var column : columns) {
      line.append(line.isEmpty() ? "" : ",").append(quoted(cell.apply(column)));
    }
    out.append(line).append('\n');
  }

  private static void object(LoggedRequest request, JsonGenerator json) throws IOException {
    var event = request.event();
    json.writeStartObject();
    json.writeStringField("time", Times.format(event.received()));
    json.writeStringField("stage", event.stage().name());
    json.writeStringField("user", event.actor());
    if (!event.impersonator().isEmpty()) {
      json.writeStringField("impersonator", event.impersonator());
    }
    json.writeStringField("verb", event.verb());
    json.writeNumberField("code", event.code());
    json.writeStringField("group", event.object().group());
    json.writeStringField("resource", event.object().resource());
    json.writeStringField("namespace", event.object().namespace());
    json.writeStringField("name", event.object().name());
    json.writeStringField("subresource", event.object().subresource());
    json.writeStringField("uid", event.uid());
    json.writeFieldName("latency_seconds");
    json.writeNumber(Times.seconds(event.latency()));
    json.writeStringField("level", event.level());
    if (!event.message().isEmpty()) {
      json.writeStringField("message", event.message());
    }
    json.writeStringField("userAgent", event.userAgent());
    if (!event.sourceIps().isEmpty()) {
      body("sourceIPs", event.sourceIps(), json);
    }
    json.writeStringField("requestURI", event.uri());
    json.writeStringField("source", event.source());
    json.writeStringField("auditID", event.auditId());
    body("requestObject", request.request(), json);
    body("responseObject", request.response(), json);
    json.writeEndObject();
    json.writeRaw('\n');
  }

  /** Embeds a body as it is, unless it is no JSON: line ends can only be between its values. */
  private static void body(String name, @Nullable String body, JsonGenerator json)
      throws IOException {
    if (body != null) {
      json.writeFieldName(name);
      if (Json.tree(body).isMissingNode()) {
        json.writeString(body);
      } else {
        json.writeRawValue(body.replace('\n', ' ').replace('\r', ' '));
      }
    }
  }

  /** Formats a JSON list of addresses for people. */
  private static String withoutMarks(String list) {
    return list.replaceAll("[\\[\\]\"\\s]", "");
  }

  /** Prefixes cells that a spreadsheet would run as a formula. */
  private static String quoted(String cell) {
    if (cell.isEmpty()) {
      return cell;
    }
    var safe = "=+-@\t\r".indexOf(cell.charAt(0)) < 0 ? cell : "'" + cell;
    for (var i = 0; i < safe.length(); i++) {
      var c = safe.charAt(i);
      if (c == ',' || c == '"' || c == '\n' || c == '\r') {
        return '"' + safe.replace("\"", "\"\"") + '"';
      }
    }
    return safe;
  }
}
