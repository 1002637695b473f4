package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.kubernetes.Pages;
import dev.shipshape.janitor.prune.SessionJobs.Workload;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.SessionStore;
import dev.shipshape.janitor.session.Times;
import dev.shipshape.service.GuardedDelete;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Removes Jobs that the operator should have removed with their sessions and did not. The name of a
 * Job in a session proves nothing, for users can write it: the Job itself must tell that it is one.
 */
final class JobCleaner {
  private static final Logger logger = LoggerFactory.getLogger(JobCleaner.class);
  private static final String APP_LABEL = "app.kubernetes.io/name";
  private static final String APP = "cray-cfs-aee";
  private static final Pattern NAME =
      Pattern.compile("cfs-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final KubernetesClient client;
  private final String namespace;
  private final SessionStore sessions;
  private final LeakedJobPolicy policy;
  private final int mostAtOnce;
  private final AuditLog audit;
  private final CancellationToken cancellation;
  private final InstantSource clock;

  /** Since when Jobs have been seen without their sessions, by uid and the server's clock. */
  private final Map<String, Instant> orphanedSince = new HashMap<>();

  /** Of which of those we have deleted the sessions, by uid. */
  private final Set<String> ours = new HashSet<>();

  /** Those of which it has been said that they stay, by uid. */
  private final Set<String> told = new HashSet<>();

  JobCleaner(
      KubernetesClient client,
      String namespace,
      SessionStore sessions,
      LeakedJobPolicy policy,
      int mostAtOnce,
      AuditLog audit,
      CancellationToken cancellation,
      InstantSource clock) {
    this.client = client;
    this.namespace = namespace;
    this.sessions = sessions;
    this.policy = policy;
    this.mostAtOnce = mostAtOnce;
    this.audit = audit;
    this.cancellation = cancellation;
    this.clock = clock;
  }

  /** Whether it ever removes one. */
  boolean isArmed() {
    return policy.armed();
  }

  /** How long the operator has for its own work. */
  Duration patience() {
    return policy.after();
  }

  /**
   * Counts from now that the sessions of these Jobs are gone.
   *
   * @param now the server's time
   */
  synchronized void orphan(Collection<Workload> jobs, Instant now) {
    for (var job : jobs.stream().filter(Workload::isLabelled).toList()) {
      ours.add(job.uid());
      orphanedSince.putIfAbsent(job.uid(), now);
    }
  }

  /**
   * Looks for Jobs whose sessions are gone, whoever deleted those, and removes them once they have
   * been seen so, and have been finished, for long enough. A Job that something holds is looked for
   * again by the next sweep.
   *
   * @param armed false to report only, as where the policy is not armed
   */
  synchronized void sweep(String run, boolean armed) {
    try {
      var due = due();
      if (due.isEmpty()) {
        return;
      }
      if (!armed || !policy.armed()) {
        logger.info(
            "prune {}: would remove {} Jobs that their sessions have left behind; not armed"
                + " (prune.armed, prune.leakedJobs.armed)",
            run,
            due.size());
        return;
      }
      for (var job : due.subList(0, Math.min(due.size(), mostAtOnce))) {
        if (cancellation.isCancelled()) {
          return;
        }
        remove(run, job);
      }
    } catch (KubernetesClientException e) {
      // Who may not look at Jobs, and is not to remove any, need not hear of it with each run.
      logger
          .atLevel(policy.armed() ? Level.ERROR : Level.DEBUG)
          .log("jobs: could not look for leaked ones: {}", ApiErrors.reason(e));
    } catch (UncheckedIOException e) {
      logger.error("jobs: leaked ones are left: {}", e.getMessage());
    }
  }

  /** What became of one whose removal had begun; empty where it is there, and nobody deletes it. */
  Optional<DeleteResult> fate(LeakedJob leaked) {
    var job = client.batch().v1().jobs().inNamespace(namespace).withName(leaked.name()).get();
    if (job == null || !job.getMetadata().getUid().equals(leaked.uid())) {
      return Optional.of(new DeleteResult(Status.GONE, Recovery.FOUND));
    }
    return job.getMetadata().getDeletionTimestamp() == null
        ? Optional.empty()
        : Optional.of(new DeleteResult(Status.REMAINING, SessionJobs.holding(job)));
  }

  /** The Jobs are listed first, so that the session of each was there before, if there is one. */
  private List<Job> due() {
    var labelled =
        client
            .batch()
            .v1()
            .jobs()
            .inNamespace(namespace)
            .withLabel(APP_LABEL, APP)
            .withLabel(SessionJobs.SESSION_LABEL);
    var orphans =
        Pages.<Job>of(labelled::list)
            .filter(job -> NAME.matcher(job.getMetadata().getName()).matches())
            .collect(Collectors.toMap(JobCleaner::uid, Function.identity()));
    if (orphans.isEmpty()) {
      orphanedSince.clear();
      ours.clear();
      told.clear();
      return List.of();
    }
    var now = removeLiving(orphans);
    orphanedSince.keySet().retainAll(orphans.keySet());
    ours.retainAll(orphans.keySet());
    told.retainAll(orphans.keySet());
    orphans.keySet().forEach(uid -> orphanedSince.putIfAbsent(uid, now));
    var longAgo = now.minus(policy.after());
    var due = new ArrayList<Job>();
    for (var job : orphans.values()) {
      if (!orphanedSince.getOrDefault(uid(job), now).isAfter(longAgo) && mayGo(job, longAgo)) {
        due.add(job);
      }
    }
    return due;
  }

  /**
   * Takes away those that a session names, or that have the name of a session.
   *
   * @return the server's time when the sessions were listed
   */
  private Instant removeLiving(Map<String, Job> jobs) {
    var owners = jobs.values().stream().map(SessionJobs::session).collect(Collectors.toSet());
    var names =
        jobs.values().stream().map(job -> job.getMetadata().getName()).collect(Collectors.toSet());
    var list = sessions.list();
    var isAny = false;
    for (var all = list.sessions().iterator(); all.hasNext(); isAny = true) {
      var session = all.next();
      if (owners.contains(session.name()) || names.contains(session.job())) {
        jobs.values()
            .removeIf(
                job ->
                    SessionJobs.session(job).equals(session.name())
                        || job.getMetadata().getName().equals(session.job()));
      }
    }
    if (!isAny || !list.isWhole()) {
      // As where sessions are looked for in the wrong place: that proves nothing of others' Jobs.
      logger.debug("jobs: only those count whose sessions this janitor has deleted");
      jobs.keySet().retainAll(ours);
    }
    return list.serverTime();
  }

  /** Whether it has ended for long enough, and nobody deletes it; why one stays is said once. */
  private boolean mayGo(Job job, Instant longAgo) {
    String reason;
    if (job.getMetadata().getDeletionTimestamp() != null) {
      reason = "it is being deleted already: " + SessionJobs.holding(job);
    } else if (finished(job).isEmpty()) {
      reason = "it has not finished";
    } else if (finished(job).get().isAfter(longAgo)) {
      return false;
    } else {
      return true;
    }
    if (told.add(uid(job))) {
      logger.warn(
          "job {} uid {}, leaked by session {}, is left: {}",
          job.getMetadata().getName(),
          uid(job),
          SessionJobs.session(job),
          reason);
    }
    return false;
  }

  private void remove(String run, Job job) {
    var now = clock.instant();
    var metadata = job.getMetadata();
    var leaked =
        new LeakedJob(
            namespace,
            metadata.getName(),
            metadata.getUid(),
            SessionJobs.session(job),
            Duration.between(finished(job).orElse(now), now));
    var pending = new PendingDeletion(run, now, leaked);
    audit.begin(pending);
    var result = delete(leaked, metadata.getResourceVersion());
    logger.info(
        "{} uid {}: leaked by the operator: {} {}",
        leaked.object(),
        leaked.uid(),
        result.status().word(),
        result.detail());
    audit.end(pending, result);
  }

  private DeleteResult delete(LeakedJob job, String resourceVersion) {
    var path = "/apis/batch/v1/namespaces/%s/jobs/%s".formatted(namespace, job.name());
    try {
      return GuardedDelete.send(client, path, job.uid(), resourceVersion)
          ? new DeleteResult(Status.GONE)
          : fate(job).orElse(new DeleteResult(Status.UNKNOWN));
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case 404 -> new DeleteResult(Status.GONE);
        case 409 -> new DeleteResult(Status.CHANGED, "it changed meanwhile; judged anew next time");
        case 401, 403, 422 -> new DeleteResult(Status.FAILED, ApiErrors.reason(e));
        default -> new DeleteResult(Status.UNKNOWN, ApiErrors.reason(e));
      };
    }
  }

  private static String uid(Job job) {
    return job.getMetadata().getUid();
  }

  private static Optional<Instant> finished(Job job) {
    try {
      return SessionJobs.ended(job)
          .flatMap(condition -> Optional.ofNullable(condition.getLastTransitionTime()))
          .map(Times::parse);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
