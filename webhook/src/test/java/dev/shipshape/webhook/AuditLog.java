package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;

import dev.shipshape.sandbox.ControlPlane;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What one user has asked of the API server since this was made, by the server's own audit log. */
final class AuditLog {
  /** The requests with one verb, and what they added to the audit log. */
  record Cost(int requests, int bytes) {
    private Cost plus(Cost other) {
      return new Cost(requests + other.requests, bytes + other.bytes);
    }
  }

  private final ControlPlane cluster;
  private final String user;
  private final Map<String, Cost> costs = new TreeMap<>();
  private long read;

  private AuditLog(ControlPlane cluster, String user, long from) {
    this.cluster = cluster;
    this.user = user;
    this.read = from;
  }

  static AuditLog beginning(ControlPlane cluster, String user) throws IOException {
    return new AuditLog(cluster, user, Files.size(cluster.auditLog()));
  }

  /**
   * By verb; a verb that was not used is not in it. A list counts by its first page: how many more
   * it has is up to what other tests have left. What fails is tried again, and counts then, but
   * that something is not there is an answer. A watch that begins anew first lists one object, for
   * the version: that is part of the watch.
   */
  Map<String, Cost> byVerb() throws IOException {
    for (var line : lines()) {
      var event = line.contains("\"" + user + "\"") ? json(line) : json("{}");
      var code = event.at("/responseStatus/code").asInt();
      if (event.at("/user/username").asText().equals(user)
          && !event.path("requestURI").asText().contains("continue=")
          && !event.path("requestURI").asText().endsWith("limit=1")
          && (code < 300 || code == 404)) {
        // A watch is logged when it begins and when it ends: one request, two lines.
        var begun = event.path("stage").asText().equals("ResponseStarted") ? 0 : 1;
        var isWatch = event.path("verb").asText().equals("watch");
        costs.merge(
            event.path("verb").asText(),
            new Cost(isWatch ? 1 - begun : begun, line.length()),
            Cost::plus);
      }
    }
    return Map.copyOf(costs);
  }

  /** What has come since the last time. */
  private List<String> lines() throws IOException {
    try (var log = Files.newByteChannel(cluster.auditLog())) {
      log.position(read);
      var added = new byte[Math.toIntExact(log.size() - read)];
      var buffer = ByteBuffer.wrap(added);
      while (buffer.hasRemaining() && log.read(buffer) >= 0) {
        // Until all of it is read.
      }
      // The last line may be half written.
      var end = added.length;
      while (end > 0 && added[end - 1] != '\n') {
        end--;
      }
      read += end;
      return new String(added, 0, end, StandardCharsets.UTF_8).lines().toList();
    }
  }
}
