package dev.shipshape.audit;

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
          new Column("sourceIPs", event -> String.join(",", event.addresses())),
          new Column("impersonator", AuditEvent::impersonator),
          new Column("message", AuditEvent::message),
          new Column("uri", event -> event.object().resource().isEmpty() ? event.uri() : ""),
          new Column("auditID", AuditEvent::auditId));

  private final Timeline.Form form;
  private final boolean following;
  private final List<Column> columns;
  private final int[] widths;
  private final Writer out;
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
      case JSON -> out.append(Json.MAPPER.writeValueAsString(request)).append('\n');
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
    out.flush();
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
