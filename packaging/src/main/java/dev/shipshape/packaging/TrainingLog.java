package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/** Writes an audit log for the training. The compiler optimises for its mix of events. */
final class TrainingLog {
  /** Enough that the JVM compiles the code and runs it for a while. */
  private static final int EVENTS = 120_000;

  private static final String OBJECT =
      """
      {"kind":"%s","apiVersion":"v1","metadata":{"name":"%s","namespace":"shop","uid":"%08x",\
      "resourceVersion":"%d","labels":{"app":"web"},"managedFields":[{"manager":"kubelet",\
      "operation":"Update","time":"2026-01-01T00:00:00Z","fieldsV1":{"f:status":{"f:conditions":\
      {"k:{\\"type\\":\\"Ready\\"}":{".":{},"f:status":{}}},"f:phase":{}}}}]},%s,\
      "status":{"conditions":[{"type":"Ready","status":"True","lastProbeTime":null}]}}\
      """;
  private static final String POD_SPEC =
      """
      "spec":{"containers":[{"name":"web","image":"registry/web:1","args":["--port=8080"],\
      "env":[{"name":"POD_NAME","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}},\
      {"name":"OPTIONS","value":"-Xmx256m"}],"resources":{"limits":{"cpu":"500m","memory":"1Gi"}},\
      "volumeMounts":[{"name":"token","readOnly":true,"mountPath":"/var/run/secrets/token"}],\
      "imagePullPolicy":"IfNotPresent","priority":0}]}\
      """;

  private final Random random = new Random(3);
  private Instant received = Instant.parse("2026-01-01T00:00:00Z");

  private TrainingLog() {}

  /** Writes the log; the content is always the same. */
  static Path write(Path file) throws IOException {
    var log = new TrainingLog();
    try (var out = Files.newBufferedWriter(file)) {
      for (var number = 0; number < EVENTS; number++) {
        out.write(log.event(number));
      }
    }
    return file;
  }

  /**
   * Half of the events are reads, most others status updates of pods, the rest have large texts.
   */
  private String event(int number) {
    var kind = random.nextInt(100);
    var pod = "web-" + random.nextInt(3_000);
    if (kind < 50) {
      return event(number, "get", "pods", pod, "");
    } else if (kind < 90) {
      return event(number, "patch", "pods", pod, OBJECT.formatted("Pod", pod, 7, number, POD_SPEC));
    }
    var text = "key: \\\"value\\\"\\nlist:\\n- a\\n".repeat(40 + random.nextInt(120));
    var data = "\"data\":{\"a\":\"%s\"}".formatted(text);
    var body = OBJECT.formatted("ConfigMap", "settings", 7, number, data);
    return event(number, "update", "configmaps", "settings", body);
  }

  private String event(int number, String verb, String resource, String name, String body) {
    received = received.plus(Duration.ofNanos(1_000L * (random.nextInt(2_500) - 300)));
    return """
    {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"%1$s",\
    "auditID":"%2$08x-0000-4000-8000-000000000000","stage":"ResponseComplete",\
    "requestURI":"/api/v1/namespaces/shop/%4$s/%5$s","verb":"%3$s",\
    "user":{"username":"system:node:worker-1","groups":["system:nodes"],"extra":{"id":["a"]}},\
    "sourceIPs":["10.0.0.7"],"userAgent":"kubelet/v1.36.0 (linux/amd64) kubernetes/0f5a1b2",\
    "objectRef":{"resource":"%4$s","namespace":"shop","name":"%5$s","apiVersion":"v1"},\
    "responseStatus":{"metadata":{},"code":%6$d}%7$s,\
    "requestReceivedTimestamp":"%8$s","stageTimestamp":"%9$s",\
    "annotations":{"authorization.k8s.io/decision":"allow",\
    "authorization.k8s.io/reason":"RBAC: allowed by \\"system:node\\" of \\"system:nodes\\""}}
    """
        .formatted(
            body.isEmpty() ? "Metadata" : "RequestResponse",
            number,
            verb,
            resource,
            name,
            random.nextInt(40) == 0 ? 409 : 200,
            body.isEmpty() ? "" : ",\"requestObject\":%1$s,\"responseObject\":%1$s".formatted(body),
            received,
            received.plus(Duration.ofNanos(1_000L * random.nextInt(30_000))));
  }
}
