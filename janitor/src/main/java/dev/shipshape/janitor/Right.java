package dev.shipshape.janitor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that the janitor must be allowed to do.
 *
 * @param resource with its subresource, as a Role names it
 * @param name of the one object; empty for all
 */
record Right(String verb, String group, String resource, String namespace, String name) {

  /**
   * What pruning needs: to look always, to delete only where armed. Where leaked Jobs are not, it
   * can do without a look at them.
   */
  static List<Right> toPrune(JanitorSettings settings) {
    var namespace = settings.sessionsNamespace();
    var rights = new ArrayList<Right>();
    for (var verb : List.of("list", "get")) {
      rights.add(new Right(verb, "cms.cray.com", "cfsessions", namespace, ""));
    }
    if (settings.prune().armed()) {
      rights.add(new Right("delete", "cms.cray.com", "cfsessions", namespace, ""));
      rights.add(new Right("list", "", "pods", namespace, ""));
    }
    if (listsJobs(settings.prune())) {
      rights.add(new Right("list", "batch", "jobs", namespace, ""));
    }
    if (settings.prune().leakedJobs().armed()) {
      rights.add(new Right("get", "batch", "jobs", namespace, ""));
    }
    if (settings.prune().armed() && settings.prune().leakedJobs().armed()) {
      rights.add(new Right("delete", "batch", "jobs", namespace, ""));
    }
    return rights;
  }

  /** Who only reports looks at them too: whether one is leaked, or a pending session's runs. */
  private static boolean listsJobs(PruneSettings prune) {
    return prune.armed() || prune.leakedJobs().armed() || prune.policy().pendingOlderThan() != null;
  }

  /** What the check of the operator needs: to look always, to patch only where armed. */
  static List<Right> toCheckOperator(JanitorSettings settings) {
    var namespace = settings.operator().namespace();
    var deployment = settings.operator().deployment();
    var rights = new ArrayList<Right>();
    rights.add(new Right("list", "", "pods", namespace, ""));
    rights.add(new Right("list", "apps", "replicasets", namespace, ""));
    rights.add(new Right("get", "apps", "deployments", namespace, deployment));
    if (settings.operator().logFile() == null) {
      rights.add(new Right("get", "", "pods/log", namespace, ""));
    }
    if (settings.restartArmed()) {
      rights.add(new Right("patch", "apps", "deployments", namespace, deployment));
    }
    return rights;
  }

  /** What Events need. */
  static List<Right> toWriteEvents(JanitorSettings settings) {
    var namespace = settings.operator().namespace();
    return List.of(new Right("create", "events.k8s.io", "events", namespace, ""));
  }

  /** What standing for election needs. */
  static List<Right> toLead(String namespace) {
    var rights = new ArrayList<Right>();
    for (var verb : List.of("get", "create", "update", "patch")) {
      var name = verb.equals("create") ? "" : Janitor.LEASE;
      rights.add(new Right(verb, "coordination.k8s.io", "leases", namespace, name));
    }
    return rights;
  }

  JsonNode review() {
    var review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    var parts = resource.split("/", 2);
    review
        .putObject("spec")
        .putObject("resourceAttributes")
        .put("verb", verb)
        .put("group", group)
        .put("resource", parts[0])
        .put("subresource", parts.length > 1 ? parts[1] : "")
        .put("namespace", namespace)
        .put("name", name);
    return review;
  }

  @Override
  public String toString() {
    var of = group.isEmpty() ? resource : resource + "." + group;
    return "%s %s%s in %s".formatted(verb, of, name.isEmpty() ? "" : " " + name, namespace);
  }
}
