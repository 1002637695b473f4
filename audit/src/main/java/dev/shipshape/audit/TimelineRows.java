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
  private static final String STAGE = "stage";

  private final boolean stages;
  private final Writer out;
  private final StringBuilder line = new StringBuilder();

  private TimelineRows(boolean stages, OutputStream out) {
    this.stages = stages;
    this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFER);
  }

  /** Writes all events, with a column for the stage if they are not just the last ones. */
  static void write(
      Iterator<AuditEvent> events, Timeline.Form form, boolean stages, OutputStream out)
      throws IOException {
    var rows = new TimelineRows(stages, out);
    switch (form) {
      case TABLE -> rows.table(events);
      case CSV -> rows.csv(events);
      case JSON -> rows.json(events);
      case HTML -> throw new IllegalArgumentException("a page has no rows");
    }
    rows.out.flush();
  }

  private void table(Iterator<AuditEvent> events) throws IOException {
    var measured = new ArrayList<List<String>>();
    measured.add(
        columns().stream().map(column -> column.toUpperCase(java.util.Locale.ROOT)).toList());
    while (events.hasNext() && measured.size() <= MEASURED_ROWS) {
      measured.add(cells(events.next(), true));
    }
    var widths = new int[columns().size()];
    for (var row : measured) {
      for (var i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (var row : measured) {
      padded(row, widths);
    }
    while (events.hasNext()) {
      padded(cells(events.next(), true), widths);
    }
  }

  private void padded(List<String> row, int[] widths) throws IOException {
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

  /**
   * By RFC 4180, but for the line's end, which is a line feed alone, as other tools here expect.
   */
  private void csv(Iterator<AuditEvent> events) throws IOException {
    out.append(String.join(",", columns()).replace("latency", "latency_seconds")).append('\n');
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
    json.writeStringField("userAgent", event.userAgent());
    json.writeStringField("requestURI", event.uri());
    json.writeStringField("source", event.source());
    json.writeStringField("auditID", event.auditId());
    json.writeEndObject();
  }

  private List<String> columns() {
    if (!stages) {
      return COLUMNS;
    }
    var columns = new ArrayList<>(COLUMNS);
    columns.add(1, STAGE);
    return columns;
  }

  private List<String> cells(AuditEvent event, boolean people) {
    var object = event.object();
    var cells = new String[stages ? COLUMNS.size() + 1 : COLUMNS.size()];
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
    cells[i] = event.auditId();
    return Arrays.asList(cells);
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
