package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Shows how objects changed from one response to the next, and which requests did it. */
public final class ObjectHistory {
  private static final Set<String> OTHER_FORMS = Set.of("Scale", "PartialObjectMetadata", "Table");

  private final Writer out;

  /** Objects that had the same name one after the other, by when they were first seen. */
  private final Map<Long, StringBuilder> lives = new TreeMap<>();

  private StringBuilder life = new StringBuilder();
  private final NoOps noOps = new NoOps();
  private final Map<String, Integer> leftOut = new TreeMap<>();
  private String path = "";
  private String uid = "";
  private String version = "";
  private JsonNode body = MissingNode.getInstance();

  private ObjectHistory(OutputStream out) {
    this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
  }

  /**
   * Writes the history of all objects that match the filter: for each uid, in the order of the
   * resourceVersions. Requests that do not match are left out, but their changes are followed.
   *
   * @return what was read
   * @throws IOException if a log cannot be read or the output cannot be written
   */
  public static ReadReport write(Chronology.Logs logs, EventFilter filter, OutputStream out)
      throws IOException {
    try (var byVersion =
        Chronology.read(
            logs,
            filter.onlyObjectsAndTime(),
            filter,
            RawEvent.Detail.BODIES,
            EventCodec.Order.VERSION)) {
      var history = new ObjectHistory(out);
      var events = byVersion.requests();
      for (var event = events.next(); event != null; event = events.next()) {
        history.add(event);
      }
      history.end();
      return byVersion.report();
    }
  }

  private void add(LoggedRequest logged) throws IOException {
    var event = logged.event();
    if (event.stage() == Stage.RequestReceived || event.stage() == Stage.ResponseStarted) {
      return;
    }
    var now = Json.tree(logged.response());
    var why = whyLeftOut(logged, now);
    if (!why.isEmpty()) {
      if (event.asked()) {
        leftOut.merge(why, 1, Integer::sum);
      }
      return;
    }
    var noOp = noOps.isNoOp(event);
    if (!path.equals(event.object().path()) || !uid.equals(event.uid())) {
      begin(event);
    }
    var delete = event.verb().equals("delete");
    var isNew = !event.version().isEmpty() && !event.version().equals(version);
    if (isNew) {
      change(event, now);
    }
    if (event.gone() && event.mutates()) {
      request(event, delete ? "deleted" : "deleted, as its last finalizer went");
    } else if (!isNew && (noOp || delete)) {
      request(event, "changed nothing (no-op write)");
    }
  }

  private static String whyLeftOut(LoggedRequest logged, JsonNode response) {
    var event = logged.event();
    if (!event.succeeded()) {
      return "refused with " + event.code();
    }
    if (OTHER_FORMS.contains(response.path("kind").asText())) {
      return "the response is another form of the object, such as its Scale";
    }
    if (event.dryRun()) {
      return "dry run";
    }
    if (logged.response() == null) {
      return "no response body: " + logged.whyNoResponse();
    }
    return event.uid().isEmpty() ? "no object" : "";
  }

  private void begin(AuditEvent event) throws IOException {
    if (!path.equals(event.object().path())) {
      flush();
    }
    path = event.object().path();
    uid = event.uid();
    version = "";
    body = MissingNode.getInstance();
    life = lives.computeIfAbsent(event.received(), _ -> new StringBuilder());
  }

  private void flush() throws IOException {
    for (var each : lives.values()) {
      out.append(each);
    }
    lives.clear();
  }

  private void change(AuditEvent event, JsonNode now) {
    if (event.asked()) {
      showChange(event, now);
    }
    version = event.version();
    body = now;
  }

  private void showChange(AuditEvent event, JsonNode now) {
    var first = version.isEmpty();
    var changes = ObjectFields.changes(body, now);
    request(
        event,
        first
            ? "resourceVersion %s, first seen".formatted(event.version())
            : "resourceVersion %s -> %s".formatted(version, event.version()));
    if (first) {
      life.append("    %d fields\n".formatted(ObjectFields.of(now).size()));
    } else if (changes.isEmpty()) {
      life.append("    no field but managedFields, or what is hidden\n");
    } else {
      for (var change : changes) {
        life.append("    ").append(Text.printableLine(change.toString())).append('\n');
      }
    }
  }

  private void request(AuditEvent event, String what) {
    if (!event.asked()) {
      return;
    }
    if (life.isEmpty()) {
      life.append("%s  uid %s\n".formatted(Text.printableLine(path), uid));
    }
    var subresource = event.object().subresource();
    life.append(
            Text.printableLine(
                "  %s  %s  %s%s  %d  %s  (auditID %s, %s)"
                    .formatted(
                        Times.format(event.received()),
                        event.actor(),
                        event.verb(),
                        subresource.isEmpty() ? "" : " /" + subresource,
                        event.code(),
                        what,
                        event.auditId(),
                        event.source())))
        .append('\n');
  }

  private void end() throws IOException {
    flush();
    if (!leftOut.isEmpty()) {
      out.append("Not compared:\n");
    }
    for (var each : leftOut.entrySet()) {
      out.append("  %d requests: %s\n".formatted(each.getValue(), each.getKey()));
    }
    out.flush();
  }
}
