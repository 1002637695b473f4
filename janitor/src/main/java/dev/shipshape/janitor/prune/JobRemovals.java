package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.Departures;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TokenBucket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes leaked Jobs: one request each, then one wait for those that something holds. Each is
 * recorded once, as soon as it is known what became of it.
 */
final class JobRemovals {
  private static final Logger logger = LoggerFactory.getLogger(JobRemovals.class);

  private final String run;
  private final String namespace;
  private final OperatorJobs ours;
  private final Deleter<JsonNode> deleter;
  private final Journal journal;
  private final StopSignal stop;
  private final InstantSource clock;

  /** Those whose removal was accepted and that are not seen to be gone yet, by uid. */
  private final Map<String, Begun> accepted = new HashMap<>();

  private record Begun(LeakedJob job, Instant at) {}

  JobRemovals(
      String run,
      String namespace,
      OperatorJobs ours,
      TokenBucket bucket,
      Journal journal,
      StopSignal stop,
      InstantSource clock) {
    this.run = run;
    this.namespace = namespace;
    this.ours = ours;
    this.deleter = new Deleter<>(ours, bucket, stop);
    this.journal = journal;
    this.stop = stop;
    this.clock = clock;
  }

  /** Asks for the removal of one. */
  void remove(JsonNode job) {
    var at = clock.instant();
    var leaked =
        new LeakedJob(
            namespace,
            OperatorJobs.name(job),
            OperatorJobs.uid(job),
            OperatorJobs.session(job),
            ours.age(job));
    var begun = new Begun(leaked, at);
    switch (deleter.delete(job, () -> journal.begin(new Intent.OfJob(run, at, leaked)))) {
      case Deleter.Step.Marked<JsonNode> _ -> accepted.put(leaked.uid(), begun);
      case Deleter.Step.End<JsonNode>(Outcome.NotTried _) -> {}
      case Deleter.Step.End<JsonNode>(Outcome outcome) -> record(begun, outcome);
      case Deleter.Step.Again<JsonNode> again -> throw new IllegalStateException(again.reason());
    }
  }

  /**
   * Waits for what was accepted.
   *
   * @return the uids of those that are still there, each recorded with what holds it
   */
  Set<String> await(Duration patience) {
    if (accepted.isEmpty()) {
      return Set.of();
    }
    var waiting = Map.copyOf(accepted);
    var remaining =
        new Departures(ours.api(), ours.jobs(), stop)
            .await(waiting.keySet(), patience, uid -> end(uid, new Outcome.Gone()));
    remaining.forEach((uid, holding) -> end(uid, new Outcome.Remaining(holding)));
    return remaining.keySet();
  }

  private void end(String uid, Outcome outcome) {
    var begun = accepted.remove(uid);
    if (begun != null) {
      record(begun, outcome);
    }
  }

  private void record(Begun begun, Outcome outcome) {
    logger.info(
        "{} uid {}: leaked by the operator: {} {}",
        begun.job().reference(),
        begun.job().uid(),
        outcome.word(),
        outcome.detail());
    var took = Duration.between(begun.at(), clock.instant());
    journal.record(new JobRemoval(run, begun.job(), outcome, took));
  }
}
