package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/**
 * An audit log to learn from: what is in it, and how often, is what the compiler takes for granted.
 */
final class TrainingLog {
  /** So many that the JVM compiles, and has seen what it compiled run for a while. */
  private static final int EVENTS = 120_000;

  private final Random random = new Random(3);
  private Instant received = Instant.parse("2026-01-01T00:00:00Z");

  private TrainingLog() {}

  /** Writes the same log each time. */
  static Path write(Path file) throws IOException {
    var log = new TrainingLog();
    try (var out = Files.newBufferedWriter(file)) {
      for (var i = 0; i < EVENTS; i++) {
        out.write(log.event(i));
      }
    }
    return file;
  }

  private String event(int number) {
    received = received.plus(Duration.ofNanos(1_000L * (random.nextInt(2_500) - 300)));
    var of = random.nextInt(3_000);
    var kind = random.nextInt(100);
    if (kind < 35) {
      return event(number, "get", "pods/web-" + of, pod(of, ""), "");
    } else if (kind < 50) {
      return event(
          number,
          "watch",
          "pods?watch=true",
          "\"resource\":\"deployments\",\"apiGroup\":\"apps\"",
          "");
    } else if (kind < 90) {
      var body =
          object(
              "Pod",
              "web-" + of,
              number,
              "\"spec\":{\"containers\":[%s]}".formatted(container(of)));
      return event(
          number,
          "patch",
          "pods/web-%d/status".formatted(of),
          pod(of, ",\"subresource\":\"status\""),
          body);
    }
    var text = "key: \\\"value\\\"\\nlist:\\n- a\\n".repeat(40 + random.nextInt(120));
    var body = object("ConfigMap", "settings", number, "\"data\":{\"a\":\"%s\"}".formatted(text));
    return event(
        number,
        "update",
        "configmaps/settings",
        "\"resource\":\"configmaps\",\"namespace\":\"shop\",\"name\":\"settings\"",
        body);
  }

  private String event(int number, String verb, String path, String reference, String body) {
    return """
    {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"%s",\
    "auditID":"%08x-0000-4000-8000-000000000000","stage":"ResponseComplete",\
    "requestURI":"/api/v1/namespaces/shop/%s","verb":"%s",\
    "user":{"username":"system:node:worker-%d","groups":["system:nodes"],"extra":{"id":["a"]}},\
    "sourceIPs":["10.0.0.%d"],"userAgent":"kubelet/v1.36.0 (linux/amd64) kubernetes/0f5a1b2",\
    "objectRef":{%s,"apiVersion":"v1"},"responseStatus":{"metadata":{},"code":%d}%s,\
    "requestReceivedTimestamp":"%s","stageTimestamp":"%s",\
    "annotations":{"authorization.k8s.io/decision":"allow",\
    "authorization.k8s.io/reason":"RBAC: allowed by \\"system:node\\" of Group \\"system:nodes\\""}}
    """
        .formatted(
            body.isEmpty() ? "Metadata" : "RequestResponse",
            number,
            path,
            verb,
            random.nextInt(200),
            random.nextInt(250),
            reference,
            random.nextInt(40) == 0 ? 409 : 200,
            body.isEmpty()
                ? ""
                : ",\"requestObject\":%s,\"responseObject\":%s".formatted(body, body),
            received,
            received.plus(Duration.ofNanos(1_000L * random.nextInt(30_000))));
  }

  private static String pod(int of, String more) {
    return "\"resource\":\"pods\",\"namespace\":\"shop\",\"name\":\"web-%d\"%s".formatted(of, more);
  }

  private String object(String kind, String name, int version, String content) {
    return """
    {"kind":"%s","apiVersion":"v1","metadata":{"name":"%s","namespace":"shop","uid":"%08x",\
    "resourceVersion":"%d","labels":{"app":"web"},"managedFields":[{"manager":"kubelet",\
    "operation":"Update","time":"%s","fieldsV1":{"f:status":{"f:conditions":\
    {"k:{\\"type\\":\\"Ready\\"}":{".":{},"f:status":{}}},"f:phase":{}}}}]},%s,\
    "status":{"conditions":[{"type":"Ready","status":"True","lastProbeTime":null}]}}\
    """
        .formatted(kind, name, name.hashCode(), version, received, content);
  }

  private static String container(int of) {
    return """
    {"name":"web","image":"registry/web:%d","args":["--port=8080","--log-level=info"],\
    "env":[{"name":"POD_NAME","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}},\
    {"name":"OPTIONS","value":"-Xmx256m"}],"resources":{"limits":{"cpu":"500m","memory":"512Mi"}},\
    "volumeMounts":[{"name":"token","readOnly":true,"mountPath":"/var/run/secrets/token"}],\
    "terminationMessagePath":"/dev/termination-log","imagePullPolicy":"IfNotPresent","priority":0}\
    """
        .formatted(of);
  }
}
