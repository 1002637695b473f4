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
import java.util.TreeMap;

/** How objects changed from one response to the next, with the requests that did it. */
public final class ObjectHistory {
  private final Writer out;
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
   * Writes the history of all objects that the filter names: each life of a name apart, by uid, in
   * the order of the resourceVersions.
   *
   * @return what was read
   * @throws IOException if a log cannot be read or the output cannot be written
   */
  public static ReadReport write(Chronology.Logs logs, EventFilter filter, OutputStream out)
      throws IOException {
    try (var byVersion =
        Chronology.read(logs, filter, Line.Detail.BODIES, EventCodec.Order.VERSION)) {
      var history = new ObjectHistory(out);
      var events = byVersion.requests();
      while (events.hasNext()) {
        history.add(events.next());
      }
      history.end();
      return byVersion.report();
    }
  }

  private void add(AuditEvent event) throws IOException {
    var why = whyLeftOut(event);
    if (!why.isEmpty()) {
      leftOut.merge(why, 1, Integer::sum);
      return;
    }
    var sameObject = path.equals(event.object().path());
    if (!sameObject || !uid.equals(event.uid())) {
      begin(event, sameObject);
    }
    if (event.verb().equals("delete") && event.version().isEmpty()) {
      request(event, "deleted");
    } else if (event.version().equals(version)) {
      // Reads tell nothing new then.
      if (noOps.isNoOp(event)) {
        request(event, "changed nothing (no-op write)");
      }
    } else {
      change(event);
    }
  }

  private static String whyLeftOut(AuditEvent event) {
    if (event.stage() == Stage.RequestReceived) {
      return "not completed";
    }
    if (!event.succeeded()) {
      return "refused with " + event.code();
    }
    if (event.isDryRun()) {
      return "dry run";
    }
    if (event.uid().isEmpty()) {
      return event.response() == null ? "no response body: " + event.whyNoResponse() : "no object";
    }
    return event.response() == null ? "no response body: " + event.whyNoResponse() : "";
  }

  private void begin(AuditEvent event, boolean anotherLife) throws IOException {
    out.append(
        "%s  uid %s%s\n"
            .formatted(
                event.object().path(),
                event.uid(),
                anotherLife ? "  (another life of this name)" : ""));
    path = event.object().path();
    uid = event.uid();
    version = "";
    body = MissingNode.getInstance();
  }

  private void change(AuditEvent event) throws IOException {
    var first = version.isEmpty();
    var now = event.response() == null ? MissingNode.getInstance() : Json.tree(event.response());
    var changes = Fields.changes(body, now);
    noOps.isNoOp(event);
    request(
        event,
        first
            ? "resourceVersion %s, first seen".formatted(event.version())
            : "resourceVersion %s -> %s".formatted(version, event.version()));
    if (first) {
      out.append("    %d fields\n".formatted(Fields.of(event.response()).size()));
    } else if (changes.isEmpty()) {
      out.append("    no field but managedFields, or what is hidden\n");
    } else {
      for (var change : changes) {
        out.append("    ").append(Text.printable(change.toString())).append('\n');
      }
    }
    version = event.version();
    body = now;
  }

  private void request(AuditEvent event, String what) throws IOException {
    var subresource = event.object().subresource();
    out.append(
            Text.printable(
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
    if (!leftOut.isEmpty()) {
      out.append("Not compared:\n");
    }
    for (var each : leftOut.entrySet()) {
      out.append("  %d requests: %s\n".formatted(each.getValue(), each.getKey()));
    }
    out.flush();
  }
}
