package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.Departures;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.kubernetes.ListPages;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TimeLeft;
import dev.shipshape.janitor.session.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The Jobs and pods of sessions. No owner reference leads from a session to its Job: the operator
 * deletes it, and where it was not watching at that moment, nobody does.
 */
final class Workloads implements Dependents {
  /** Which session a Job or pod belongs to. */
  static final String SESSION_LABEL = "cfsession";

  /** However short the wait for the run's own is: else nobody would sweep. */
  private static final Duration SWEEP = Duration.ofMinutes(5);

  /** A Job or a pod, by uid. */
  record Workload(String kind, String name, String uid, Session session) {}

  private final KubernetesApi api;
  private final LeakedJobs leaked;
  private final StopSignal stop;
  private final String jobs;
  private final String pods;
  private final List<Workload> noted = new ArrayList<>();

  /** Ends what is under way. */
  private volatile @Nullable StopSignal working;

  /** Something that ends at its deadline, when told to stop, or when given up. */
  private final class Work implements AutoCloseable {
    private final StopSignal until;
    private final Runnable end;

    Work(Duration deadline) {
      until = new StopSignal(() -> !stop.isStopped()).within(deadline);
      end = until::stop;
      working = until;
      stop.atStop(end);
    }

    @Override
    public void close() {
      stop.notAtStop(end);
      working = null;
    }
  }

  Workloads(KubernetesApi api, String namespace, LeakedJobs leaked, StopSignal stop) {
    this.api = api;
    this.leaked = leaked;
    this.stop = stop;
    this.jobs = "/apis/batch/v1/namespaces/" + namespace + "/jobs";
    this.pods = "/api/v1/namespaces/" + namespace + "/pods?labelSelector=" + SESSION_LABEL;
  }

  @Override
  public void note(Collection<Session> sessions) {
    noted.clear();
    var byName = new HashMap<String, Session>();
    var byJob = new HashMap<String, Session>();
    for (var session : sessions) {
      byName.put(session.name(), session);
      if (session.job() != null) {
        byJob.put(session.job(), session);
      }
    }
    if (sessions.isEmpty()) {
      return;
    }
    // A Job of the older operator may lack the label, and is then known by its name alone.
    note("job", jobs, byName, byJob);
    note("pod", pods, byName, Map.of());
  }

  @Override
  public void giveUp() {
    var signal = working;
    if (signal != null) {
      signal.stop();
    }
  }

  @Override
  public void sweep(String run, boolean armed, int most, Duration patience) {
    try (var work = new Work(SWEEP)) {
      leaked.sweep(run, armed, most, work.until, patience);
    }
  }

  @Override
  public Optional<Outcome> fate(LeakedJob job) {
    return leaked.fate(job);
  }

  @Override
  public Map<Session, String> awaitGone(String run, Collection<Session> gone, Duration deadline) {
    try (var work = new Work(deadline)) {
      return awaitGone(run, gone, deadline, work.until);
    }
  }

  private Map<Session, String> awaitGone(
      String run, Collection<Session> gone, Duration deadline, StopSignal until) {
    var end = System.nanoTime() + deadline.toNanos();
    var ours = new HashSet<>(gone);
    var jobsLeft = of("job", ours);
    var patience = leaked.patience(deadline);
    var hanging = new HashMap<>(await(jobs, jobsLeft, patience, until));
    if (!hanging.isEmpty() && leaked.areDueAfter(deadline) && !until.isStopped()) {
      var suspects =
          jobsLeft.stream()
              .filter(job -> hanging.containsKey(job.uid()))
              .map(job -> new LeakedJobs.Suspect(job.name(), job.uid(), job.session().name()))
              .toList();
      leaked.remove(run, suspects, suspects.size(), until, TimeLeft.until(end));
      hanging.clear();
      hanging.putAll(await(jobs, jobsLeft, TimeLeft.until(end), until));
    }
    var podsLeft = of("pod", ours);
    hanging.putAll(await(pods, podsLeft, TimeLeft.until(end), until));
    var remaining = new LinkedHashMap<Session, String>();
    for (var workload : noted) {
      var holding = hanging.get(workload.uid());
      if (holding != null) {
        remaining.merge(
            workload.session(),
            "%s %s: %s".formatted(workload.kind(), workload.name(), holding),
            (one, other) -> one + "; " + other);
      }
    }
    return remaining;
  }

  private void note(
      String kind, String path, Map<String, Session> byName, Map<String, Session> byJob) {
    new ListPages(api, stop)
        .read(
            path,
            ListPages.METADATA,
            object -> {
              var metadata = object.path("metadata");
              var name = metadata.path("name").asText();
              var session = byName.get(label(metadata));
              session = session == null ? byJob.get(name) : session;
              if (session != null) {
                noted.add(new Workload(kind, name, metadata.path("uid").asText(), session));
              }
            });
  }

  private List<Workload> of(String kind, Set<Session> sessions) {
    return noted.stream()
        .filter(workload -> workload.kind().equals(kind) && sessions.contains(workload.session()))
        .toList();
  }

  private Map<String, String> await(
      String collection, List<Workload> workloads, Duration time, StopSignal until) {
    if (workloads.isEmpty()) {
      return Map.of();
    }
    var uids = new HashSet<String>();
    workloads.forEach(workload -> uids.add(workload.uid()));
    return new Departures(api, collection, until).await(uids, time);
  }

  private static String label(JsonNode metadata) {
    return metadata.path("labels").path(SESSION_LABEL).asText();
  }
}
