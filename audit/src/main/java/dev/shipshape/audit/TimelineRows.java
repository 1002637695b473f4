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
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes events as rows; memory does not grow with their number. */
final class TimelineRows {
  private static final int BUFFER = 64 << 10;

  /** The columns are as wide as these rows need, and widen where a later one needs more. */
  private static final int MEASURED_ROWS = 500;

  private static final List<String> COLUMNS =
      List.of(
          "time",
          "user",
          "verb",
          "code",
          "resource",
          "namespace",
          "name",
          "subresource",
          "latency",
          "source",
          "auditID");
  private static final List<String> WIDE = List.of("sourceIPs", "impersonator", "message", "uri");
  private static final String STAGE = "stage";

  private final Timeline.Form form;
  private final boolean stages;
  private final boolean wide;
  private final int[] widths;
  private final Writer out;
  private final StringBuilder line = new StringBuilder();

  private TimelineRows(Timeline.Form form, boolean stages, OutputStream out) {
    this.form = form;
    this.stages = stages;
    this.wide = form != Timeline.Form.TABLE;
    this.widths = new int[COLUMNS.size() + (stages ? 1 : 0) + (wide ? WIDE.size() : 0)];
    this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFER);
  }

  /** Writes all events, with a column for the stage if they are not just the last ones. */
  static void write(
      Iterator<AuditEvent> events, Timeline.Form form, boolean stages, OutputStream out)
      throws IOException {
    var rows = new TimelineRows(form, stages, out);
    switch (form) {
      case TABLE, WIDE -> rows.table(events);
      case CSV -> {
        rows.out.append(rows.csvTitles());
        rows.csv(events);
      }
      case JSON -> rows.json(events);
      case HTML -> throw new IllegalArgumentException("a page has no rows");
    }
    rows.out.flush();
  }

  /** Writes what stands above all rows, for rows that come one by one. */
  static TimelineRows begin(Timeline.Form form, boolean stages, OutputStream out)
      throws IOException {
    var rows = new TimelineRows(form, stages, out);
    switch (form) {
      case TABLE, WIDE -> rows.padded(rows.titles());
      case CSV -> rows.out.append(rows.csvTitles());
      case JSON -> {}
      case HTML -> throw new IllegalArgumentException("a page has no rows");
    }
    rows.out.flush();
    return rows;
  }

  /** Writes a row at once. */
  void add(AuditEvent event) throws IOException {
    switch (form) {
      case TABLE, WIDE -> padded(cells(event, true));
      case CSV -> csv(List.of(event).iterator());
      default -> json(List.of(event).iterator());
    }
    out.flush();
  }

  private List<String> titles() {
    return columns().stream().map(column -> column.toUpperCase(Locale.ROOT)).toList();
  }

  private void table(Iterator<AuditEvent> events) throws IOException {
    var measured = new ArrayList<List<String>>();
    measured.add(titles());
    while (events.hasNext() && measured.size() <= MEASURED_ROWS) {
      measured.add(cells(events.next(), true));
    }
    for (var row : measured) {
      for (var i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (var row : measured) {
      padded(row);
    }
    while (events.hasNext()) {
      padded(cells(events.next(), true));
    }
  }

  private void padded(List<String> row) throws IOException {
    line.setLength(0);
    for (var i = 0; i < widths.length; i++) {
      var cell = Text.printableLine(row.get(i));
      widths[i] = Math.max(widths[i], cell.length());
      line.append(cell);
      if (i < widths.length - 1) {
        line.repeat(' ', widths[i] - cell.length() + 2);
      }
    }
    out.append(line).append('\n');
  }

  private String csvTitles() {
    return String.join(",", columns()).replace("latency", "latency_seconds") + "\n";
  }

  /**
   * By RFC 4180, but for the line's end, which is a line feed alone, as other tools here expect.
   */
  private void csv(Iterator<AuditEvent> events) throws IOException {
    while (events.hasNext()) {
      line.setLength(0);
      for (var cell : cells(events.next(), false)) {
        line.append(line.isEmpty() ? "" : ",").append(quoted(cell));
      }
      out.append(line).append('\n');
    }
  }

  private void json(Iterator<AuditEvent> events) throws IOException {
    try (var json = Json.MAPPER.getFactory().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
      if (!events.hasNext()) {
        return;
      }
      while (events.hasNext()) {
        object(events.next(), json);
      }
    }
    out.append('\n');
  }

  private static void object(AuditEvent event, JsonGenerator json) throws IOException {
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
    body("requestObject", event.request(), json);
    body("responseObject", event.response(), json);
    json.writeEndObject();
  }

  /** Line ends are between values only. */
  private static void body(String name, @Nullable String body, JsonGenerator json)
      throws IOException {
    if (body != null) {
      json.writeFieldName(name);
      json.writeRawValue(body.replace('\n', ' ').replace('\r', ' '));
    }
  }

  private List<String> columns() {
    var columns = new ArrayList<>(COLUMNS);
    if (stages) {
      columns.add(1, STAGE);
    }
    if (wide) {
      columns.addAll(columns.size() - 1, WIDE);
    }
    return columns;
  }

  private List<String> cells(AuditEvent event, boolean people) {
    var object = event.object();
    var cells = new String[widths.length];
    var i = 0;
    cells[i++] = Times.format(event.received());
    if (stages) {
      cells[i++] = event.stage().name();
    }
    cells[i++] = event.actor();
    cells[i++] = event.verb();
    cells[i++] = event.code() == 0 ? "" : Integer.toString(event.code());
    cells[i++] = object.groupResource();
    cells[i++] = object.namespace();
    cells[i++] = object.name();
    cells[i++] = object.subresource();
    cells[i++] = people ? Times.duration(event.latency()) : Times.seconds(event.latency());
    cells[i++] = event.source();
    if (wide) {
      cells[i++] = withoutMarks(event.sourceIps());
      cells[i++] = event.impersonator();
      cells[i++] = event.message();
      cells[i++] = object.resource().isEmpty() ? event.uri() : "";
    }
    cells[i] = event.auditId();
    return Arrays.asList(cells);
  }

  /** A JSON list of addresses, for people. */
  private static String withoutMarks(String list) {
    return list.replace("\"", "").replace("[", "").replace("]", "").replace(" ", "");
  }

  /** A spreadsheet must not take what clients send for a formula. */
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
