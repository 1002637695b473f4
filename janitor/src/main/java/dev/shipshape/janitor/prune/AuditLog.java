package dev.shipshape.janitor.prune;

import static dev.shipshape.service.Section.written;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the audit log, one JSON object a line: {@code begin} before the first request that changes
 * an object, and later its result. A process that is killed in between leaves a {@code begin}
 * without a result.
 *
 * @param lines writes and flushes a line before it returns
 */
public record AuditLog(Consumer<String> lines, InstantSource clock) {
  void begin(String run, Deletion deletion) {
    write(line("begin", run, deletion).put("action", "delete"));
  }

  void end(String run, Deletion deletion) {
    var result = deletion.result();
    write(line("deletion", run, deletion).put("result", written(result.status())), result.detail());
  }

  /** Records that a workload, named as in the log, is about to be restarted. */
  public void beginRestart(String object, String uid, String reason) {
    write(line("begin", object, uid).put("action", "restart"), reason);
  }

  /** Records the result of a restart. */
  public void endRestart(String object, String uid, String result, String detail) {
    write(line("restart", object, uid).put("result", result), detail);
  }

  private ObjectNode line(String event, String run, Deletion deletion) {
    return line(event, deletion.session().reference(), deletion.session().uid())
        .put("run", run)
        .put("ageSeconds", deletion.age().toSeconds());
  }

  private ObjectNode line(String event, String object, @Nullable String uid) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("time", clock.instant().toString())
        .put("event", event)
        .put("object", object)
        .put("uid", uid);
  }

  private void write(ObjectNode line, String detail) {
    write(detail.isEmpty() ? line : line.put("detail", detail));
  }

  private synchronized void write(ObjectNode line) {
    lines.accept(line.toString());
  }
}
