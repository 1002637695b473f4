package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.DeleteResult.Status;
import java.time.Duration;
import java.util.List;

/**
 * What one run did.
 *
 * @param run the run's name in every record of it
 * @param ending how it ended
 * @param deletions one for each session of the plan; empty where nothing was to be deleted
 */
public record PruneReport(
    String run, Plan plan, Ending ending, List<Deletion> deletions, Duration took) {

  /** How a run ends. */
  public enum Ending {
    /** Not armed: the plan was reported and nothing deleted. */
    REPORTED,
    /** The plan was carried out; single deletions may have failed. */
    DONE,
    /** The whole run was stopped by the plan, see {@link Plan#stop()}. */
    STOPPED,
    /** Told to end before the plan was carried out, or given up as the server did nothing. */
    INTERRUPTED
  }

  public PruneReport {
    deletions = List.copyOf(deletions);
  }

  /** The same with what the deletions have come to by now. */
  PruneReport with(List<Deletion> deletions) {
    return new PruneReport(run, plan, ending, deletions, took);
  }

  /** How many deletions ended so. */
  public long count(Status status) {
    return deletions.stream().filter(each -> each.result().status() == status).count();
  }

  /** Whether the run did all that it should, and left nothing behind. */
  public boolean isGood() {
    return switch (ending) {
      case REPORTED -> true;
      case DONE -> deletions.stream().noneMatch(each -> each.result().isBad());
      case STOPPED, INTERRUPTED -> false;
    };
  }
}
