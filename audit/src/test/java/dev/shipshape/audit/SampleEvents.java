package dev.shipshape.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Four minutes of a cluster: an operator deletes its Deployment in the background and creates it
 * again before the old pods are gone, then loses an update to an administrator and fights with it.
 */
final class SampleEvents {
  private static final ObjectRef DEPLOYMENT =
      new ObjectRef("apps", "deployments", "", "services", "cfs-api");
  private static final String OPERATOR = "system:serviceaccount:services:cray-cfs-operator";
  private static final String ADMIN = "kubernetes-admin";
  private static final String DEPLOYMENTS =
      "system:serviceaccount:kube-system:deployment-controller";
  private static final String REPLICASETS =
      "system:serviceaccount:kube-system:replicaset-controller";
  private static final String NODE = "system:node:worker-1";
  private static final String API = "deployments.apps/services/cfs-api";
  private static final String POD = "pods/services/cfs-api-";
  private static final String LEASE = "leases.coordination.k8s.io/kube-node-lease/worker-1";
  private static final long START = Times.parse("2026-11-01T12:00:00Z");

  private final Requests requests = new Requests();
  private int version = 41_000;

  record Sample(List<LoggedRequest> events, List<Race> races) {}

  static Sample story() throws IOException {
    var sample = new SampleEvents();
    sample.tell();
    return read(sample.requests);
  }

  /** Returns what the timeline shows of a log. */
  static Sample read(Requests requests) throws IOException {
    var folder = Files.createDirectories(Path.of("target", "master-1"));
    var logs = Requests.logs(requests.write(folder.resolve("audit.log")));
    try (var chronology = Chronology.read(logs, EventFilter.ALL, RawEvent.Detail.BODIES)) {
      return new Sample(
          Requests.all(chronology), Races.find(logs, EventFilter.ALL, List.of(), false).races());
    }
  }

  /** An update that is not read from a file, which cannot have half a surrogate pair in a name. */
  static LoggedRequest event(String actor, String name, String body) {
    var object = new ObjectRef("apps", "deployments", "", "services", name);
    return new LoggedRequest(
        new AuditEvent(
            START,
            START + 1500,
            Stage.ResponseComplete,
            "RequestResponse",
            "id-0",
            "/apis/" + object.path(),
            "update",
            actor,
            "",
            "test/1.0",
            "",
            object,
            200,
            "",
            false,
            "audit.log",
            1200,
            true,
            false,
            false,
            false,
            "",
            "",
            ""),
        body,
        body);
  }

  /** A race with this text in place of its actor and its summary. */
  static Race race(String text, LoggedRequest... events) {
    var evidence = Stream.of(events).map(LoggedRequest::event).toList();
    return new Race(Race.Kind.FIGHT, DEPLOYMENT, List.of(text), text, evidence);
  }

  private void tell() {
    for (int second = 0; second < 240; second += 8) {
      add(second + 0.21, NODE, "update", LEASE, 200, null, null);
      add(second + 3.4, NODE, "get", POD + "7d4b9-x2x8q", 200, null, null);
      add(second + 5.5, DEPLOYMENTS, "get", LEASE, second == 128 ? 503 : 200, null, null);
      add(second + 6.1, OPERATOR, "get", API, 200, null, null);
      add(second + 8.8, REPLICASETS, "list", "pods/services/", 200, null, null);
    }
    for (var actor : List.of(OPERATOR, DEPLOYMENTS, REPLICASETS)) {
      var all = actor.equals(OPERATOR) ? "deployments.apps//" : "replicasets.apps//";
      add(1.0, actor, "watch", all, 200, null, null);
      requests.last().put("stageTimestamp", Times.format(START + 181_000_000));
    }
    add(12.004, OPERATOR, "create", API, 201, null, deployment("0a1b", 3, 0, ""));
    pods(13, "create", "7d4b9", "0a1b");
    pods(17, "patch", "7d4b9", "0a1b");
    add(18.2, DEPLOYMENTS, "update", API + "/status", 200, null, deployment("0a1b", 3, 3, ""));
    add(
        95.500123,
        OPERATOR,
        "delete",
        API,
        200,
        "{\"kind\":\"DeleteOptions\",\"propagationPolicy\":\"Background\"}",
        "{\"kind\":\"Status\",\"status\":\"Success\",\"details\":{\"uid\":\"0a1b\"}}");
    var again = deployment("2c3d", 3, 0, "");
    add(95.931507, OPERATOR, "create", API, 201, again, again);
    pods(96.4, "create", "5f6c8", "2c3d");
    pods(97.2, "delete", "7d4b9", "0a1b");
    pods(101, "patch", "5f6c8", "2c3d");
    add(103.4, DEPLOYMENTS, "update", API + "/status", 200, null, deployment("2c3d", 3, 3, ""));
    var debug = deployment("2c3d", 5, 3, "debug");
    add(150.2, ADMIN, "patch", API, 200, "{\"spec\":{\"replicas\":5}}", debug);
    add(150.26, OPERATOR, "update", API, 409, deployment("2c3d", 3, 3, ""), null);
    requests.last().withObject("/responseStatus").put("message", "the object has been modified");
    for (int i = 0; i < 4; i++) {
      var body = deployment("2c3d", i % 2 == 0 ? 3 : 5, 3, "info");
      add(170 + 9 * i, i % 2 == 0 ? OPERATOR : ADMIN, "update", API, 200, null, body);
    }
    add(220, ADMIN, "get", "secrets/services/missing", 404, null, null);
    add(221, ADMIN, "create", POD + "5f6c8-1/exec", 0, null, null);
    requests.last().put("stage", "Panic");
  }

  private void pods(double second, String verb, String hash, String owner) {
    for (int i = 1; i <= 3; i++) {
      add(
          second + 0.02 * i,
          verb.equals("create") ? REPLICASETS : NODE,
          verb,
          POD + hash + "-" + i + (verb.equals("patch") ? "/status" : ""),
          verb.equals("create") ? 201 : 200,
          null,
          """
          {"kind":"Pod","apiVersion":"v1","metadata":{"name":"cfs-api-%1$s-%2$d","namespace":"services",\
          "uid":"%1$s-%2$d","resourceVersion":"%3$d","ownerReferences":[{"uid":"%4$s"}]},\
          "spec":{"nodeName":"worker-1","containers":[{"name":"api","image":"cfs-api:1.12.0"}]},\
          "status":{"phase":"%5$s"}}\
          """
              .formatted(hash, i, version++, owner, verb.equals("create") ? "Pending" : "Running"));
    }
  }

  private void add(
      double second,
      String actor,
      String verb,
      String object,
      int code,
      @Nullable String request,
      @Nullable String response) {
    var received = START + Math.round(second * 1e6);
    requests.request(actor, verb, object, code, request, response);
    requests
        .last()
        .put("requestReceivedTimestamp", Times.format(received))
        .put("stageTimestamp", Times.format(received + 20_000));
    if (actor.equals(ADMIN)) {
      requests.last().withObject("/user").put("username", "jane@example.org");
      requests.last().putObject("impersonatedUser").put("username", ADMIN);
    }
  }

  private String deployment(String uid, int replicas, int ready, String logLevel) {
    return """
    {"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"cfs-api","namespace":"services","uid":"%s","resourceVersion":"%d",\
    "labels":{"app":"cfs-api"},"managedFields":[{"manager":"operator","operation":"Update","fieldsV1":{"f:spec":{"f:replicas":{}}}}]},\
    "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"cfs-api"}},"template":{"metadata":{"labels":{"app":"cfs-api"}},\
    "spec":{"containers":[{"name":"api","image":"cfs-api:1.12.0","args":["--listen=:8080","--log-level=%s"],"resources":{"limits":{"cpu":"500m","memory":"512Mi"}}}],\
    "restartPolicy":"Always","terminationGracePeriodSeconds":30}},"strategy":{"type":"RollingUpdate"}},\
    "status":{"readyReplicas":%d}}\
    """
        .formatted(uid, version++, replicas, logLevel, ready);
  }
}
