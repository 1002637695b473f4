package dev.shipshape.audit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Four minutes of a cluster: an operator deletes its Deployment in the background and creates it
 * again before the old pods are gone, then loses an update to an administrator.
 */
final class SampleEvents {
  static final String OPERATOR = "system:serviceaccount:services:cray-cfs-operator";
  static final String ADMIN = "kubernetes-admin";
  static final String DEPLOYMENTS = "system:serviceaccount:kube-system:deployment-controller";
  static final String REPLICASETS = "system:serviceaccount:kube-system:replicaset-controller";
  static final String NODE = "system:node:worker-1";
  static final ObjectRef DEPLOYMENT =
      new ObjectRef("apps", "deployments", "", "services", "cfs-api");
  private static final ObjectRef LEASE =
      new ObjectRef("coordination.k8s.io", "leases", "", "kube-node-lease", "worker-1");
  private static final long START = Instant.parse("2026-11-01T12:00:00Z").toEpochMilli() * 1000;

  private final Random random = new Random(18);
  private final List<LoggedRequest> events = new ArrayList<>();
  private final List<Race> races = new ArrayList<>();
  private int version = 41_000;

  record Sample(List<LoggedRequest> events, List<Race> races) {}

  static Sample story() {
    return new SampleEvents().tell();
  }

  static LoggedRequest event(String actor, String name, @Nullable String request) {
    var sample = new SampleEvents();
    sample.add(0, actor, "update", named(DEPLOYMENT, name), 200, request, request);
    return sample.events.getLast();
  }

  /** A response with the Deployment, received in the order of the calls, whatever its version. */
  static LoggedRequest response(int second, String version, String spec) {
    var body =
        "{\"kind\":\"Deployment\",\"metadata\":{\"uid\":\"1\",\"resourceVersion\":\"%s\"},\"spec\":%s}"
            .formatted(version, spec);
    var sample = new SampleEvents();
    sample.add(second, OPERATOR, "get", DEPLOYMENT, 200, null, body);
    return sample.events.getLast();
  }

  private Sample tell() {
    for (int second = 0; second < 240; second += 8) {
      add(second + 0.21, NODE, "update", LEASE, 200, lease(second), lease(second));
      add(second + 3.4, NODE, "get", pod("cfs-api-7d4b9-x2x8q"), 200, null, null);
      add(second + 5.5, DEPLOYMENTS, "get", LEASE, second == 128 ? 503 : 200, null, null);
      add(second + 6.1, OPERATOR, "get", DEPLOYMENT, 200, null, null);
      add(second + 8.8, REPLICASETS, "list", pod(""), 200, null, null);
    }
    for (var actor : List.of(OPERATOR, DEPLOYMENTS, REPLICASETS)) {
      var all =
          new ObjectRef("apps", actor.equals(OPERATOR) ? "deployments" : "replicasets", "", "", "");
      add(1.0, actor, "watch", all, 200, null, null);
    }
    var old = add(12.004, OPERATOR, "create", DEPLOYMENT, 201, null, deployment("0a1b", 3, 0, ""));
    pods(13, "7d4b9", "Pending");
    pods(17, "7d4b9", "Running");
    status(18.2, "0a1b", 3, 3);
    var gone =
        add(
            95.500123,
            OPERATOR,
            "delete",
            DEPLOYMENT,
            200,
            "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"propagationPolicy\":\"Background\"}",
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\",\"details\":{\"name\":\"cfs-api\",\"group\":\"apps\",\"kind\":\"deployments\",\"uid\":\"0a1b\"}}");
    var again =
        add(
            95.931507,
            OPERATOR,
            "create",
            DEPLOYMENT,
            201,
            deployment("", 3, 0, ""),
            deployment("2c3d", 3, 0, ""));
    pods(96.4, "5f6c8", "Pending");
    add(96.9, REPLICASETS, "deletecollection", pod(""), 200, null, null);
    var alive = pods(97.2, "7d4b9", "Running");
    pods(101, "5f6c8", "Running");
    status(103.4, "2c3d", 3, 3);
    race(
        Race.Kind.RECREATED,
        "deployments.apps/services/cfs-api was created again 431 ms after its deletion, while 3"
            + " pods of its former life ran until 12:01:37.2.",
        old,
        gone,
        again,
        alive);
    var won =
        add(
            150.2,
            ADMIN,
            "patch",
            DEPLOYMENT,
            200,
            "{\"spec\":{\"replicas\":5}}",
            deployment("2c3d", 5, 3, "debug"));
    var lost =
        add(
            150.26,
            OPERATOR,
            "update",
            DEPLOYMENT,
            409,
            deployment("2c3d", 3, 3, ""),
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"Conflict\",\"message\":\"Operation"
                + " cannot be fulfilled on deployments.apps \\\"cfs-api\\\": the object has been"
                + " modified; please apply your changes to the latest version and try"
                + " again\",\"code\":409}");
    race(
        Race.Kind.LOST_UPDATE,
        "The update of deployments.apps/services/cfs-api by cray-cfs-operator was refused with 409:"
            + " a patch by kubernetes-admin had won 60 ms before.",
        won,
        lost);
    var fight = new ArrayList<AuditEvent>();
    for (int i = 0; i < 4; i++) {
      int replicas = i % 2 == 0 ? 3 : 5;
      fight.add(
          add(
              170 + 9 * i,
              i % 2 == 0 ? OPERATOR : ADMIN,
              "update",
              DEPLOYMENT,
              200,
              deployment("2c3d", replicas, 3, "info"),
              deployment("2c3d", replicas, 3, "info")));
      add(
          170.8 + 9 * i,
          DEPLOYMENTS,
          "update",
          with(DEPLOYMENT, "status"),
          200,
          deployment("2c3d", replicas, replicas, "info"),
          deployment("2c3d", replicas, replicas, "info"));
    }
    race(
        Race.Kind.FIGHT,
        "spec.replicas of deployments.apps/services/cfs-api was set to 3 and back to 5 twice within"
            + " 27 s.",
        fight.toArray(AuditEvent[]::new));
    add(
        220,
        ADMIN,
        "get",
        new ObjectRef("", "secrets", "", "services", "missing"),
        404,
        null,
        null);
    add(221, ADMIN, "create", with(pod("cfs-api-5f6c8-1"), "exec"), 0, null, null);
    var sorted = new ArrayList<>(events);
    sorted.sort(Comparator.comparingLong(each -> each.event().received()));
    return new Sample(sorted, races);
  }

  private AuditEvent pods(double second, String hash, String phase) {
    var newest = events.getLast().event();
    for (int i = 1; i <= 3; i++) {
      var pod = pod("cfs-api-" + hash + "-" + i);
      boolean created = phase.equals("Pending");
      newest =
          add(
              second + 0.02 * i,
              created ? REPLICASETS : NODE,
              created ? "create" : "patch",
              created ? pod : with(pod, "status"),
              created ? 201 : 200,
              "{\"status\":{\"phase\":\"" + phase + "\"}}",
              pod(hash.hashCode() % 100 * 10 + i, phase));
    }
    return newest;
  }

  private void status(double second, String uid, int replicas, int ready) {
    var body = deployment(uid, replicas, ready, "");
    add(second, DEPLOYMENTS, "update", with(DEPLOYMENT, "status"), 200, body, body);
  }

  private AuditEvent add(
      double second,
      String actor,
      String verb,
      ObjectRef object,
      int code,
      @Nullable String request,
      @Nullable String response) {
    long received = START + Math.round(second * 1e6);
    long latency = verb.equals("watch") ? 180_000_000 : 900 + random.nextInt(40_000);
    boolean whole = request != null || response != null;
    var event =
        new AuditEvent(
            received,
            received + latency,
            code == 0 ? Stage.Panic : Stage.ResponseComplete,
            whole ? "RequestResponse" : "Metadata",
            "%08x-4e1c-4f0a-9b1d-%012x".formatted(random.nextInt(), events.size()),
            "/apis/" + object.path(),
            verb,
            actor,
            actor.equals(ADMIN) ? "jane@example.org" : "",
            actor.equals(ADMIN)
                ? "kubectl/v1.36.3 (linux/amd64)"
                : "kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/0f5a1b2",
            "[\"10.1.2.3\"]",
            object,
            code,
            code == 409 ? "the object has been modified" : "",
            false,
            "master-1/audit.log",
            1_200 + random.nextInt(3_000),
            true,
            false,
            false,
            field("uid", response),
            field("resourceVersion", response),
            field("resourceVersion", request));
    events.add(new LoggedRequest(event, request, response));
    return event;
  }

  private static String field(String name, @Nullable String body) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(body == null ? "" : body);
    return found.find() ? found.group(1) : "";
  }

  private void race(Race.Kind kind, String summary, AuditEvent... evidence) {
    var actors = List.of(evidence).stream().map(AuditEvent::actor).distinct().toList();
    races.add(new Race(kind, evidence[0].object(), actors, summary, List.of(evidence)));
  }

  private String deployment(String uid, int replicas, int ready, String logLevel) {
    return """
    {"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"cfs-api","namespace":"services","uid":"%s","resourceVersion":"%d","generation":%d,\
    "labels":{"app":"cfs-api"},"managedFields":[{"manager":"operator","operation":"Update","fieldsV1":{"f:spec":{"f:replicas":{}}}}]},\
    "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"cfs-api"}},"template":{"metadata":{"labels":{"app":"cfs-api"}},\
    "spec":{"containers":[{"name":"api","image":"cfs-api:1.12.0","args":["--listen=:8080"%s],"resources":{"limits":{"cpu":"500m","memory":"512Mi"}}}],\
    "restartPolicy":"Always","terminationGracePeriodSeconds":30}},"strategy":{"type":"RollingUpdate"}},\
    "status":{"observedGeneration":%d,"replicas":%d,"readyReplicas":%d}}\
    """
        .formatted(
            uid,
            version++,
            replicas,
            replicas,
            logLevel.isEmpty() ? "" : ",\"--log-level=" + logLevel + "\"",
            replicas,
            replicas,
            ready);
  }

  private String pod(int number, String phase) {
    return """
    {"kind":"Pod","apiVersion":"v1","metadata":{"name":"pod-%d","namespace":"services","uid":"pod-%d","resourceVersion":"%d"},\
    "spec":{"nodeName":"worker-1","containers":[{"name":"api","image":"cfs-api:1.12.0"}]},\
    "status":{"phase":"%s","conditions":[{"type":"Ready","status":"%s"}]}}\
    """
        .formatted(number, number, version++, phase, phase.equals("Running") ? "True" : "False");
  }

  private String lease(int second) {
    return """
    {"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"worker-1","namespace":"kube-node-lease","uid":"lease-1","resourceVersion":"%d"},\
    "spec":{"holderIdentity":"worker-1","leaseDurationSeconds":40,"renewTime":"2026-11-01T12:%02d:%02d.210000Z"}}\
    """
        .formatted(version++, second / 60, second % 60);
  }

  private static ObjectRef pod(String name) {
    return new ObjectRef("", "pods", "", "services", name);
  }

  private static ObjectRef with(ObjectRef of, String subresource) {
    return new ObjectRef(of.group(), of.resource(), subresource, of.namespace(), of.name());
  }

  private static ObjectRef named(ObjectRef of, String name) {
    return new ObjectRef(of.group(), of.resource(), of.subresource(), of.namespace(), name);
  }
}
