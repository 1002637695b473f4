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
 * The Jobs and pods of sessions. No owner reference leads from a session to its Job: the operator
 * deletes it, and where it was not watching at that moment, nobody does.
 */
record SessionJobs(KubernetesClient client, String namespace) {
  /** Which session a Job or pod belongs to. */
  static final String SESSION_LABEL = "cfsession";

  /** A Job or a pod, by uid. */
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
   * Notes by uid what belongs to sessions that are about to be deleted: afterwards the same names
   * may belong to others.
   */
  Map<Session, List<Workload>> of(Collection<Session> sessions) {
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
    // A Job of the older operator may lack the label, and is then known by its name alone.
    jobs().forEach(job -> note("job", job, byName, byJob, workloads));
    pods().forEach(pod -> note("pod", pod, byName, Map.of(), workloads));
    return workloads;
  }

  /** Those that are still there, each with what holds it. */
  Map<Workload, String> stillThere(Collection<Workload> workloads) {
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
                    .ifPresent(workload -> remaining.put(workload, holding(found))));
    return remaining;
  }

  private Stream<? extends HasMetadata> jobs() {
    return Pages.<Job>of(client.batch().v1().jobs().inNamespace(namespace)::list);
  }

  private Stream<? extends HasMetadata> pods() {
    return Pages.<Pod>of(client.pods().inNamespace(namespace).withLabel(SESSION_LABEL)::list);
  }

  private static void note(
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

  /** The name of the session that a Job or pod says it belongs to; empty where it does not say. */
  static String session(HasMetadata object) {
    var labels = object.getMetadata().getLabels();
    return labels == null ? "" : labels.getOrDefault(SESSION_LABEL, "");
  }

  /** What holds an object, where its deletion has begun. */
  static String holding(HasMetadata object) {
    if (object.getMetadata().getDeletionTimestamp() == null) {
      return "not marked for deletion";
    }
    var finalizers = object.getFinalizers();
    return finalizers.isEmpty()
        ? "marked for deletion, without finalizers"
        : "finalizers " + finalizers;
  }
}
