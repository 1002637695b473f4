package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.prune.FileJournal;
import dev.shipshape.janitor.prune.Journal;
import dev.shipshape.janitor.prune.PlanFile;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.Wait;
import dev.shipshape.janitor.session.DetectedSessions;
import dev.shipshape.janitor.session.RestService;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;

/**
 * Pruning by hand: a person saves a plan, reads it, and has it carried out. It needs no Lease: each
 * deletion is guarded by itself, and a plan that a janitor was faster with ends as already gone.
 */
public final class Pruning {
  private final JanitorSettings settings;
  private final Pruner pruner;

  public Pruning(
      JanitorSettings settings, KubernetesClient client, InstantSource clock, Journal journal) {
    this.settings = settings;
    var stop = new StopSignal(() -> true);
    this.pruner = pruner(settings, new KubernetesApi(client), clock, journal, stop);
  }

  /**
   * The plan of a run now, to be saved. Deletes nothing.
   *
   * @throws ApiFailure where the sessions cannot be listed
   * @throws IllegalStateException where a limit stops the whole run; the message says which
   */
  public PlanFile plan() {
    var plan = pruner.plan();
    plan.stop()
        .ifPresent(
            stop -> {
              throw new IllegalStateException(stop.message());
            });
    return PlanFile.of(settings.sessionsNamespace(), plan);
  }

  /**
   * Carries out a saved plan, whether or not the settings arm the pruning: the person does.
   *
   * @throws ApiFailure where the sessions cannot be listed; nothing was deleted then
   * @throws IllegalArgumentException where the plan is for another namespace
   */
  public PruneReport apply(PlanFile plan) {
    if (!plan.namespace().equals(settings.sessionsNamespace())) {
      throw new IllegalArgumentException(
          "the plan is for namespace %s, the settings for %s"
              .formatted(plan.namespace(), settings.sessionsNamespace()));
    }
    return pruner.apply(plan, new Wait(false, settings.prune().deadline()));
  }

  static Pruner pruner(
      JanitorSettings settings,
      KubernetesApi api,
      InstantSource clock,
      Journal journal,
      StopSignal stop) {
    var prune = settings.prune();
    return Pruner.of(
        new DetectedSessions(
            api,
            new RestService(settings.rest().address(), settings.rest().tokenFile()),
            settings.source(),
            settings.sessionsNamespace(),
            stop),
        api,
        settings.sessionsNamespace(),
        prune.leakedJobs(),
        prune.rules(),
        prune.limits(),
        prune.pace(),
        withFile(journal, prune.records(), clock),
        stop,
        clock);
  }

  private static Journal withFile(
      Journal journal, PruneSettings.Records records, InstantSource clock) {
    var file = records.file();
    if (file == null) {
      return journal;
    }
    var kept = new FileJournal(file, records.mostBytes(), records.kept(), clock);
    return (run, deletion) -> {
      journal.record(run, deletion);
      kept.record(run, deletion);
    };
  }
}
