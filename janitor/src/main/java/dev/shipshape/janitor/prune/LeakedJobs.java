package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.Workloads.SESSION_LABEL;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.kubernetes.ListPages;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TokenBucket;
import dev.shipshape.janitor.session.Sessions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes Jobs that the operator should have removed with their sessions and did not. */
final class LeakedJobs {
  private static final Logger logger = LoggerFactory.getLogger(LeakedJobs.class);

  /** For what a sweep removed; what takes longer must not hold up the run's own work. */
  private static final Duration SWEPT = Duration.ofMinutes(1);

  private final KubernetesApi api;
  private final String namespace;
  private final String jobs;
  private final Sessions sessions;
  private final LeakedJobPolicy policy;
  private final Pace pace;
  private final Journal journal;
  private final InstantSource clock;

  /** Since when Jobs have been seen without their sessions, by uid and the server's clock. */
  private final Map<String, Instant> orphanedSince = new HashMap<>();

  /** Those of which it has been said that something holds them, by uid. */
  private final Set<String> toldLeaving = new HashSet<>();

  /** Whether it has been said that they cannot be looked for. */
  private boolean toldBlind;

  LeakedJobs(
      KubernetesApi api,
      String namespace,
      Sessions sessions,
      LeakedJobPolicy policy,
      Pace pace,
      Journal journal,
      InstantSource clock) {
    this.api = api;
    this.namespace = namespace;
    this.jobs = "/apis/batch/v1/namespaces/" + namespace + "/jobs";
    this.sessions = sessions;
    this.policy = policy;
    this.pace = pace;
    this.journal = journal;
    this.clock = clock;
  }

  /** A Job that seems to be leaked by a session of that name. */
  record Suspect(String name, String uid, String session, Optional<String> leaving) {

    /** One that nobody deletes, as far as is known. */
    Suspect(String name, String uid, String session) {
      this(name, uid, session, Optional.empty());
    }
  }

  /** Whether a wait of that length is long enough to do the operator's work for it afterwards. */
  boolean areDueAfter(Duration wait) {
    return policy.armed() && policy.after().compareTo(wait) <= 0;
  }

  /** How long to wait for the operator before its work is done for it, if it ever is. */
  Duration patience(Duration deadline) {
    return areDueAfter(deadline) ? policy.after() : deadline;
  }

  /** What became of one that was to be removed; empty where it is there, and nobody deletes it. */
  Optional<Outcome> fate(LeakedJob job) {
    var found = find(job.name(), job.uid());
    return found.isEmpty()
        ? Optional.of(new Outcome.FoundGone())
        : OperatorJobs.leaving(found.get()).map(Outcome.Remaining::new);
  }

  /**
   * Removes those that are what they seem; of the others it says why they stay. What goes wrong
   * with one leaves the others.
   *
   * @param most how many; those that stay do not count
   * @param patience how long to wait for those that something holds
   */
  void remove(String run, List<Suspect> suspects, int most, StopSignal stop, Duration patience) {
    if (suspects.isEmpty()) {
      return;
    }
    final OperatorJobs ours;
    try {
      ours = ours(suspects);
    } catch (ApiFailure e) {
      logger.error(
          "jobs: {} seem leaked, but are left: which sessions live is unknown: {}",
          suspects.size(),
          e.getMessage());
      return;
    }
    var bucket = new TokenBucket(pace.perSecond(), System::nanoTime);
    var removals = new JobRemovals(run, namespace, ours, bucket, journal, stop, clock);
    var tried = 0;
    for (var suspect : suspects) {
      if (tried == most || stop.isStopped() || !stop.pause(bucket.take())) {
        break;
      }
      try {
        var job = leaked(suspect, ours);
        if (job.isPresent()) {
          tried++;
          removals.remove(job.get());
        }
      } catch (ApiFailure e) {
        bucket.holdBack(Deleter.pause(e.retryAfter()));
        logger.error("job {}: leaked, but left: {}", suspect.name(), e.getMessage());
      }
    }
    toldLeaving.addAll(removals.await(patience));
  }

  /**
   * Looks for Jobs whose sessions are gone, whoever deleted those, and removes them once they have
   * been seen so for long enough.
   *
   * @param armed false to report only, as where the policy is not armed
   * @param most how many at once; the rest waits for the next time
   * @param patience how long to wait at most for those that something holds
   */
  void sweep(String run, boolean armed, int most, StopSignal stop, Duration patience) {
    try {
      var due = dueOrphans();
      due.removeIf(this::isLeaving);
      if (due.size() > most) {
        logger.warn(
            "jobs: {} seem leaked; of those {} at most now (prune.maxPerRun)", due.size(), most);
      }
      if (armed && policy.armed()) {
        remove(run, due, most, stop, patience.compareTo(SWEPT) < 0 ? patience : SWEPT);
      } else {
        report(run, due, most, stop, unarmed(armed));
      }
      toldBlind = false;
    } catch (ApiFailure e) {
      tellBlind(e);
    }
  }

  /** Again and again only where it is work that stays undone. */
  private void tellBlind(ApiFailure e) {
    if (policy.armed() || !toldBlind) {
      logger.error("jobs: could not look for leaked ones: {}", e.getMessage());
    }
    toldBlind = true;
  }

  private String unarmed(boolean armed) {
    if (armed) {
      return "prune.leakedJobs.armed";
    }
    return policy.armed() ? "prune.armed" : "prune.armed, prune.leakedJobs.armed";
  }

  /** The Jobs are listed first, so that the session of each was there before, if there is one. */
  private List<Suspect> dueOrphans() {
    var orphans = new ArrayList<Suspect>();
    var selector = "?labelSelector=app.kubernetes.io%2Fname%3Dcray-cfs-aee," + SESSION_LABEL;
    new ListPages(api)
        .read(
            jobs + selector,
            ListPages.METADATA,
            job -> {
              if (OperatorJobs.isNamedAsOne(job)) {
                orphans.add(
                    new Suspect(
                        OperatorJobs.name(job),
                        OperatorJobs.uid(job),
                        OperatorJobs.session(job),
                        OperatorJobs.leaving(job)));
              }
            });
    toldLeaving.retainAll(uids(orphans));
    if (orphans.isEmpty()) {
      orphanedSince.clear();
      return orphans;
    }
    var living = living(orphans);
    if (living.isNobody()) {
      // As where sessions are looked for in the wrong place: that proves nothing about any Job.
      logger.warn(
          "jobs: {} of the operator's, and not one session: none counts as leaked", orphans.size());
      orphanedSince.clear();
      return new ArrayList<>();
    }
    orphans.removeIf(orphan -> living.with(orphan.name(), orphan.session()).isPresent());
    orphanedSince.keySet().retainAll(uids(orphans));
    var now = living.now();
    orphans.forEach(orphan -> orphanedSince.putIfAbsent(orphan.uid(), now));
    orphans.removeIf(
        orphan -> orphanedSince.getOrDefault(orphan.uid(), now).isAfter(now.minus(policy.after())));
    return orphans;
  }

  private static Set<String> uids(List<Suspect> suspects) {
    return suspects.stream().map(Suspect::uid).collect(Collectors.toSet());
  }

  /** Whether it is being deleted already, by whomever; said once, with what holds it. */
  private boolean isLeaving(Suspect suspect) {
    suspect
        .leaving()
        .filter(_ -> toldLeaving.add(suspect.uid()))
        .ifPresent(
            holding ->
                logger.warn(
                    "job {} uid {}, leaked by session {}: is being deleted already, but remaining:"
                        + " {}",
                    suspect.name(),
                    suspect.uid(),
                    suspect.session(),
                    holding));
    return suspect.leaving().isPresent();
  }

  private void report(
      String run, List<Suspect> suspects, int most, StopSignal stop, String unarmed) {
    if (suspects.isEmpty()) {
      return;
    }
    var ours = ours(suspects);
    var bucket = new TokenBucket(pace.perSecond(), System::nanoTime);
    suspects.stream()
        .takeWhile(_ -> stop.pause(bucket.take()))
        .filter(suspect -> leaked(suspect, ours).isPresent())
        .limit(most)
        .forEach(
            suspect ->
                logger.info(
                    "prune {}: would remove job {} uid {}, leaked by session {}; not armed ({})",
                    run,
                    suspect.name(),
                    suspect.uid(),
                    suspect.session(),
                    unarmed));
  }

  /** The Job as it is now, if it may go. */
  private Optional<JsonNode> leaked(Suspect suspect, OperatorJobs ours) {
    var job = find(suspect.name(), suspect.uid());
    var reason = job.flatMap(found -> ours.reasonToKeep(found, suspect.session()));
    reason.ifPresent(why -> logger.warn("job {}: leaked, but left: {}", suspect.name(), why));
    return reason.isPresent() ? Optional.empty() : job;
  }

  private OperatorJobs ours(List<Suspect> suspects) {
    return new OperatorJobs(api, jobs, policy.after(), living(suspects));
  }

  private LivingSessions living(List<Suspect> suspects) {
    var living = new LivingSessions(suspects);
    sessions.listLiving(living);
    return living;
  }

  private Optional<JsonNode> find(String job, String uid) {
    return api.find(jobs + "/" + job).filter(found -> OperatorJobs.uid(found).equals(uid));
  }
}
