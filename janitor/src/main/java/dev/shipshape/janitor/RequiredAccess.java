package dev.shipshape.janitor;

import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What the janitor must be allowed to do, for each of its tasks. */
final class RequiredAccess {
  private RequiredAccess() {}

  /** What pruning needs: to look always, to delete only where armed. */
  static List<ResourceAttributes> toPrune(JanitorSettings settings) {
    var namespace = settings.sessionsNamespace();
    var prune = settings.prune();
    var access = new ArrayList<ResourceAttributes>();
    for (var verb : List.of("list", "get")) {
      access.add(access(verb, "cms.cray.com", "cfsessions", namespace, ""));
    }
    if (prune.armed()) {
      access.add(access("delete", "cms.cray.com", "cfsessions", namespace, ""));
      access.add(access("list", "", "pods", namespace, ""));
    }
    if (prune.armed() && prune.archive() != null) {
      access.add(access("get", "", "pods", namespace, ""));
      access.add(access("get", "", "pods/log", namespace, ""));
    }
    if (listsJobs(prune)) {
      access.add(access("list", "batch", "jobs", namespace, ""));
    }
    return access;
  }

  /** Who only reports looks at them too: whether a pending session's runs. */
  private static boolean listsJobs(PruneSettings prune) {
    return prune.armed() || prune.policy().pendingOlderThan() != null;
  }

  /** What the check of the operator needs: to look always, to patch only where armed. */
  static List<ResourceAttributes> toCheckOperator(JanitorSettings settings) {
    var namespace = settings.operator().namespace();
    var deployment = settings.operator().deployment();
    var access = new ArrayList<ResourceAttributes>();
    access.add(access("list", "", "pods", namespace, ""));
    access.add(access("list", "apps", "replicasets", namespace, ""));
    access.add(access("get", "apps", "deployments", namespace, deployment));
    if (settings.operator().logFile() == null) {
      access.add(access("get", "", "pods/log", namespace, ""));
    }
    if (settings.restartArmed()) {
      access.add(access("patch", "apps", "deployments", namespace, deployment));
    }
    return access;
  }

  /** What Events need. */
  static List<ResourceAttributes> toWriteEvents(JanitorSettings settings) {
    var namespace = settings.operator().namespace();
    return List.of(access("create", "events.k8s.io", "events", namespace, ""));
  }

  /** What standing for election needs. */
  static List<ResourceAttributes> toLead(String namespace) {
    return List.of(
        access("get", "coordination.k8s.io", "leases", namespace, Janitor.LEASE),
        access("create", "coordination.k8s.io", "leases", namespace, ""),
        access("update", "coordination.k8s.io", "leases", namespace, Janitor.LEASE),
        access("patch", "coordination.k8s.io", "leases", namespace, Janitor.LEASE));
  }

  /**
   * @param resource with its subresource, as a Role names it
   * @param name of the one object; empty for all
   */
  static ResourceAttributes access(
      String verb, String group, String resource, String namespace, String name) {
    var parts = resource.split("/", 2);
    return new ResourceAttributesBuilder()
        .withVerb(verb)
        .withGroup(group)
        .withResource(parts[0])
        .withSubresource(parts.length > 1 ? parts[1] : "")
        .withNamespace(namespace)
        .withName(name)
        .build();
  }

  /** One line, for people who write Roles. */
  static String text(ResourceAttributes access) {
    var sub = Objects.requireNonNullElse(access.getSubresource(), "");
    return "%s %s%s%s%s in %s"
        .formatted(
            access.getVerb(),
            access.getResource(),
            sub.isEmpty() ? "" : "/" + sub,
            access.getGroup().isEmpty() ? "" : "." + access.getGroup(),
            access.getName().isEmpty() ? "" : " " + access.getName(),
            access.getNamespace());
  }
}
