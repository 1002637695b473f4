package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.Pages;
import dev.shipshape.janitor.session.Session;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Jobs and pods of sessions. A Job has no owner reference to its session: the operator deletes
 * the Job, and leaks it if it was not watching at that moment.
 */
record SessionJobs(KubernetesClient client, String namespace) {
  static final String SESSION_LABEL = "cfsession";

  record Workload(String kind, String name, String uid) {
    boolean isPod() {
      return kind.equals("pod");
    }

    @Override
    public String toString() {
      return kind + " " + name;
    }
  }

  /**
   * Finds the Jobs and pods of sessions that are about to be deleted, with their uids: later, other
   * objects may have the same names.
   */
  Map<Session, List<Workload>> find(Collection<Session> sessions) {
    if (sessions.isEmpty()) {
      return Map.of();
    }
    var byName = new HashMap<String, Session>();
    var byJob = new HashMap<String, Session>();
    for (var session : sessions) {
      byName.put(session.name(), session);
      if (session.job() != null) {
        byJob.put(session.job(), session);
      }
    }
    var workloads = new HashMap<Session, List<Workload>>();
    // A Job of the older operator may lack the label; then its name identifies it.
    jobs().forEach(job -> add("job", job, byName, byJob, workloads));
    pods().forEach(pod -> add("pod", pod, byName, Map.of(), workloads));
    return workloads;
  }

  /** Returns the Jobs and pods that still exist, each with the reason. */
  Map<Workload, String> findRemaining(Collection<Workload> workloads) {
    if (workloads.isEmpty()) {
      return Map.of();
    }
    var byUid = new HashMap<String, Workload>();
    workloads.forEach(workload -> byUid.put(workload.uid(), workload));
    var remaining = new LinkedHashMap<Workload, String>();
    Stream.concat(jobs(), pods())
        .forEach(
            found ->
                Optional.ofNullable(byUid.get(found.getMetadata().getUid()))
                    .ifPresent(workload -> remaining.put(workload, remainingReason(found))));
    return remaining;
  }

  private Stream<? extends HasMetadata> jobs() {
    return Pages.<Job>of(client.batch().v1().jobs().inNamespace(namespace)::list);
  }

  private Stream<? extends HasMetadata> pods() {
    return Pages.<Pod>of(client.pods().inNamespace(namespace).withLabel(SESSION_LABEL)::list);
  }

  private static void add(
      String kind,
      HasMetadata found,
      Map<String, Session> byName,
      Map<String, Session> byJob,
      Map<Session, List<Workload>> workloads) {
    var name = found.getMetadata().getName();
    var session = byName.getOrDefault(session(found), byJob.get(name));
    if (session != null) {
      workloads
          .computeIfAbsent(session, _ -> new ArrayList<>())
          .add(new Workload(kind, name, found.getMetadata().getUid()));
    }
  }

  /** The name of a Job's or pod's session by its label; empty without one. */
  static String session(HasMetadata object) {
    return object.getMetadata().getLabels().getOrDefault(SESSION_LABEL, "");
  }

  static String remainingReason(HasMetadata object) {
    if (object.getMetadata().getDeletionTimestamp() == null) {
      return "not marked for deletion";
    }
    var finalizers = object.getFinalizers();
    return finalizers.isEmpty()
        ? "marked for deletion, without finalizers"
        : "finalizers " + finalizers;
  }
}
