package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.prune.FileJournal;
import dev.shipshape.janitor.prune.Journal;
import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.PlanFile;
import dev.shipshape.janitor.prune.PlanReview;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.Wait;
import dev.shipshape.janitor.session.DetectedSessions;
import dev.shipshape.janitor.session.Sessions;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.UncheckedIOException;
import java.time.InstantSource;

/**
 * Pruning by hand: a person saves a plan, reads it, and has it carried out. It needs no Lease: each
 * deletion is guarded by itself, and a plan that a janitor was faster with ends as already gone.
 */
public final class Pruning implements AutoCloseable {
  private final JanitorSettings settings;
  private final Journal journal;
  private final Pruner pruner;

  /**
   * @param stop ends what is under way between two objects
   */
  public Pruning(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      Journal journal,
      StopSignal stop) {
    this.settings = settings;
    this.journal = journal(settings, journal, clock);
    var api = new KubernetesApi(client);
    this.pruner =
        pruner(settings, api, sessions(settings, api, clock, stop), clock, this.journal, stop);
  }

  /**
   * The plan of a run now. Deletes nothing.
   *
   * @throws ApiFailure where the sessions cannot be listed
   */
  public Plan plan() {
    return pruner.plan();
  }

  /** What to save of a plan. */
  public PlanFile file(Plan plan) {
    return PlanFile.of(settings.sessionsNamespace(), plan);
  }

  /**
   * What carrying out a saved plan would do now. Deletes nothing.
   *
   * @throws ApiFailure where the sessions cannot be listed, or the plan is for another namespace
   */
  public PlanReview review(PlanFile plan) {
    requireOurs(plan);
    return pruner.review(plan);
  }

  /**
   * Carries out a saved plan, whether or not the settings arm the pruning: the person does.
   *
   * @throws ApiFailure where the sessions cannot be listed, or the plan is for another namespace;
   *     nothing was deleted then
   * @throws StartFailure where records cannot be kept; nothing was deleted then
   */
  public PruneReport apply(PlanFile plan) {
    requireOurs(plan);
    try {
      return pruner.apply(plan, new Wait(false, settings.prune().deadline()));
    } catch (UncheckedIOException e) {
      throw new StartFailure(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    journal.close();
  }

  private void requireOurs(PlanFile plan) {
    if (!plan.namespace().equals(settings.sessionsNamespace())) {
      throw ApiFailure.unsuitable(
          "the plan is for namespace %s, the settings (sessions.namespace) for %s"
              .formatted(plan.namespace(), settings.sessionsNamespace()));
    }
  }

  static Sessions sessions(
      JanitorSettings settings, KubernetesApi api, InstantSource clock, StopSignal stop) {
    return new DetectedSessions(
        api, settings.rest().service(clock), settings.source(), settings.sessionsNamespace(), stop);
  }

  static Pruner pruner(
      JanitorSettings settings,
      KubernetesApi api,
      Sessions sessions,
      InstantSource clock,
      Journal journal,
      StopSignal stop) {
    var prune = settings.prune();
    stop.atStop(api::cutStreams);
    return Pruner.of(
        sessions,
        api,
        settings.sessionsNamespace(),
        prune.leakedJobs(),
        prune.rules(),
        prune.limits(),
        prune.pace(),
        journal,
        stop,
        clock);
  }

  /** The records' file, where the settings name one, before the given journal. */
  static Journal journal(JanitorSettings settings, Journal lines, InstantSource clock) {
    var records = settings.prune().records();
    var file = records.file();
    return file == null
        ? lines
        : new FileJournal(file, records.mostBytes(), records.kept(), lines, clock);
  }
}
