package dev.shipshape.bench;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;

/**
 * Audit logs as API servers write them, the same each time: reads and watches without bodies,
 * Leases, the status of pods, and settings whose text is full of escapes. The lines are roughly
 * sorted; one in a hundred comes late.
 */
final class AuditLogs implements Closeable {
  /** An object that has a few dozen requests in each GB. */
  static final List<String> OBJECT = List.of("pods", "ns-17", "pod-17");

  private static final int FILES = 4;
  private static final int BUFFER = 1 << 20;
  private static final int LATE_BY_LINES = 5_000;

  private static final int PODS = 3_000;
  private static final int NAMESPACES = 50;
  private static final int NODES = 300;
  private static final int SETTINGS = 200;

  /** Always six digits. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private static final List<String> USERS =
      List.of(
          "system:node:worker-1",
          "system:node:worker-2",
          "system:serviceaccount:kube-system:deployment-controller",
          "system:serviceaccount:kube-system:replicaset-controller",
          "system:kube-scheduler",
          "system:serviceaccount:services:session-operator",
          "kubernetes-admin");

  private static final List<String> CONDITIONS =
      List.of(
          "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled");

  private final Random random = new Random(7);
  private final List<OutputStream> files = new ArrayList<>();
  private final Queue<byte[]> late = new ArrayDeque<>();
  private Instant received = Instant.parse("2026-11-01T00:00:00Z");
  private long number;

  private AuditLogs(Path folder) throws IOException {
    for (var i = 0; i < FILES; i++) {
      var file = folder.resolve("audit-%d.log".formatted(i));
      files.add(new BufferedOutputStream(Files.newOutputStream(file), BUFFER));
    }
  }

  /** Writes four files of so many bytes together into a folder. */
  static void write(Path folder, long bytes) throws IOException {
    Files.createDirectories(folder);
    try (var logs = new AuditLogs(folder)) {
      for (var written = 0L; written < bytes; ) {
        var line = logs.event().getBytes(StandardCharsets.UTF_8);
        written += line.length;
        logs.write(line);
      }
      while (!logs.late.isEmpty()) {
        logs.append(logs.late.remove());
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (var file : files) {
      file.close();
    }
  }

  private void write(byte[] line) throws IOException {
    if (number % 100 == 0) {
      late.add(line);
      if (late.size() > LATE_BY_LINES / 100) {
        append(late.remove());
      }
    } else {
      append(line);
    }
  }

  private void append(byte[] line) throws IOException {
    files.get(random.nextInt(FILES)).write(line);
  }

  private String event() {
    number++;
    received = received.plus(Duration.ofNanos(1_000L * (200 + random.nextInt(2_500))));
    var kind = random.nextInt(100);
    if (kind < 35) {
      return podIsRead();
    } else if (kind < 50) {
      return watch();
    } else if (kind < 65) {
      return leaseIsRenewed();
    } else if (kind < 90) {
      return podChanges();
    }
    return settingsChange();
  }

  private String podIsRead() {
    var pod = random.nextInt(PODS);
    return event("Metadata", "get", user(), podUri(pod), pod(pod, ""), 200, "");
  }

  private String watch() {
    return event(
        "Metadata",
        "watch",
        user(),
        "/apis/apps/v1/deployments?allowWatchBookmarks=true&resourceVersion=" + number,
        "\"resource\":\"deployments\",\"apiGroup\":\"apps\",\"apiVersion\":\"v1\"",
        200,
        "");
  }

  private String leaseIsRenewed() {
    var node = "worker-" + random.nextInt(NODES);
    var lease =
        """
        {"kind":"Lease","apiVersion":"coordination.k8s.io/v1",%s,\
        "spec":{"holderIdentity":"%s","leaseDurationSeconds":40,"renewTime":"%s"}}\
        """
            .formatted(
                metadata(node, "kube-node-lease", node.hashCode()), node, TIME.format(received));
    return event(
        "RequestResponse",
        "update",
        "system:node:" + node,
        "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/%s?timeout=10s"
            .formatted(node),
        """
        "resource":"leases","namespace":"kube-node-lease","name":"%s","uid":"%s",\
        "apiGroup":"coordination.k8s.io","apiVersion":"v1"\
        """
            .formatted(node, uid(node.hashCode())),
        200,
        bodies(lease, lease));
  }

  private String podChanges() {
    var pod = random.nextInt(PODS);
    var patch =
        """
        {"metadata":{"uid":"%s"},"status":{"$setElementOrder/conditions":[{"type":"Ready"}],\
        "conditions":[{"lastTransitionTime":"%s","status":"True","type":"Ready"}]}}\
        """
            .formatted(uid(pod), TIME.format(received));
    return event(
        "RequestResponse",
        "patch",
        user(),
        podUri(pod) + "/status",
        pod(pod, ",\"uid\":\"%s\",\"subresource\":\"status\"".formatted(uid(pod))),
        random.nextInt(40) == 0 ? 409 : 200,
        bodies(patch, podBody(pod)));
  }

  private String settingsChange() {
    var of = random.nextInt(SETTINGS);
    var name = "settings-" + of;
    var namespace = "ns-" + of % NAMESPACES;
    var text = "key: \\\"value\\\"\\nlist:\\n- a\\n- b\\n".repeat(40 + random.nextInt(120));
    var settings =
        """
        {"kind":"ConfigMap","apiVersion":"v1",%s,"data":{"app.yaml":"%s"}}\
        """
            .formatted(metadata(name, namespace, of), text);
    return event(
        "RequestResponse",
        "update",
        user(),
        "/api/v1/namespaces/%s/configmaps/%s".formatted(namespace, name),
        """
        "resource":"configmaps","namespace":"%s","name":"%s","uid":"%s","apiVersion":"v1"\
        """
            .formatted(namespace, name, uid(of)),
        200,
        bodies(settings, settings));
  }

  private String event(
      String level,
      String verb,
      String user,
      String uri,
      String reference,
      int code,
      String bodies) {
    return """
    {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"%s","auditID":"%s",\
    "stage":"ResponseComplete","requestURI":"%s","verb":"%s","user":{"username":"%s",\
    "uid":"6c3c1b0e-8f10-4c27-8a30-000000000000",\
    "groups":["system:serviceaccounts","system:authenticated"],\
    "extra":{"authentication.kubernetes.io/credential-id":["JTI=4f6bd5ae-2b3c-4f8f-8a49-000000000000"]}},\
    "sourceIPs":["10.1.2.%d"],\
    "userAgent":"kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/0f5a1b2/system:serviceaccount",\
    "objectRef":{%s},"responseStatus":{"metadata":{},"code":%d}%s,\
    "requestReceivedTimestamp":"%s","stageTimestamp":"%s",\
    "annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":\
    "RBAC: allowed by ClusterRoleBinding \\"system:controllers\\" of ClusterRole \\"system:controllers\\" to ServiceAccount"}}
    """
        .formatted(
            level,
            uid(number),
            uri,
            verb,
            user,
            number % 250,
            reference,
            code,
            bodies,
            TIME.format(received),
            TIME.format(received.plus(Duration.ofNanos(1_000L * (800 + random.nextInt(30_000))))));
  }

  private String user() {
    return USERS.get(random.nextInt(USERS.size()));
  }

  private static String podUri(int pod) {
    return "/api/v1/namespaces/ns-%d/pods/pod-%d".formatted(pod % NAMESPACES, pod);
  }

  private static String pod(int pod, String more) {
    return """
    "resource":"pods","namespace":"ns-%d","name":"pod-%d","apiVersion":"v1"%s\
    """
        .formatted(pod % NAMESPACES, pod, more);
  }

  private static String bodies(String request, String response) {
    return ",\"requestObject\":" + request + ",\"responseObject\":" + response;
  }

  private static String uid(long of) {
    return "%08x-4e1c-4f0a-9b1d-%012x"
        .formatted((of * 2_654_435_761L) & 0xffff_ffffL, of & 0xffff_ffffL);
  }

  private String metadata(String name, String namespace, long uid) {
    return """
    "metadata":{"name":"%s","namespace":"%s","uid":"%s","resourceVersion":"%d",\
    "creationTimestamp":"2026-10-01T10:11:12Z","labels":{"app":"web","pod-template-hash":"6d4cf56db6"},\
    "managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"%s",\
    "fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:checksum":{}},\
    "f:labels":{".":{},"f:app":{}}},"f:status":{"f:conditions":{"k:{\\"type\\":\\"Ready\\"}":\
    {".":{},"f:lastTransitionTime":{},"f:status":{}}},"f:containerStatuses":{},"f:phase":{},"f:podIP":{}}}}]}\
    """
        .formatted(name, namespace, uid(uid), 1_000 + number, TIME.format(received));
  }

  private String podBody(int pod) {
    var conditions =
        CONDITIONS.stream()
            .map(
                type ->
                    """
                    {"type":"%s","status":"True","lastProbeTime":null,"lastTransitionTime":"%s"}\
                    """
                        .formatted(type, TIME.format(received)))
            .toList();
    return """
    {"kind":"Pod","apiVersion":"v1",%s,"spec":{"containers":[%s,%s],"restartPolicy":"Always",\
    "terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default",\
    "nodeName":"worker-1","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists",\
    "effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true},\
    "status":{"phase":"Running","conditions":[%s],"hostIP":"10.0.0.1","podIP":"10.1.2.3",\
    "startTime":"2026-10-01T10:11:12Z","qosClass":"Burstable"}}\
    """
        .formatted(
            metadata("pod-" + pod, "ns-" + pod % NAMESPACES, pod),
            container("web"),
            container("proxy"),
            String.join(",", conditions));
  }

  private static String container(String name) {
    return """
    {"name":"%s","image":"registry.local/team/app:v1.2.3","args":["--listen=:8080","--log-level=info"],\
    "env":[{"name":"POD_NAME","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}},\
    {"name":"JAVA_OPTS","value":"-Xmx256m -XX:+UseSerialGC"}],\
    "resources":{"limits":{"cpu":"500m","memory":"512Mi"},"requests":{"cpu":"100m","memory":"256Mi"}},\
    "volumeMounts":[{"name":"kube-api-access-abcde","readOnly":true,\
    "mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],\
    "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",\
    "imagePullPolicy":"IfNotPresent"}\
    """
        .formatted(name);
  }
}
