package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditFile;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.PlanFile;
import dev.shipshape.janitor.prune.PlanReview;
import dev.shipshape.janitor.prune.PruneRun;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.SessionArchive;
import dev.shipshape.janitor.prune.Verdict;
import dev.shipshape.janitor.session.AutoDetectingStore;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionStore;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Pruning by hand: a person saves a plan, reads it, and has it carried out. It needs no Lease: each
 * deletion is guarded by itself, and a plan that a janitor was faster with ends as already gone.
 */
public final class ManualPrune implements AutoCloseable {
  private final JanitorSettings settings;
  private final AuditLog audit;
  private final Pruner pruner;

  /**
   * @param records takes each record, one line
   * @param cancellation ends what is under way between two objects
   */
  public ManualPrune(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      Consumer<String> records,
      CancellationToken cancellation) {
    this.settings = settings;
    this.audit = audit(settings, records, clock);
    var sessions = sessions(settings, client, clock);
    this.pruner = pruner(settings, client, sessions, clock, audit, cancellation);
  }

  /**
   * The plan of a run now. Deletes nothing.
   *
   * @throws KubernetesClientException where the sessions cannot be listed
   */
  public Plan plan() {
    return pruner.plan();
  }

  /** Says of each session what the policy says of it; fails as {@link #plan}. */
  public void judge(BiConsumer<Session, Verdict> each) {
    pruner.judge(each);
  }

  /** What to save of a plan. */
  public PlanFile file(Plan plan) {
    return PlanFile.of(settings.sessionsNamespace(), plan);
  }

  /**
   * What carrying out a saved plan would do now. Deletes nothing.
   *
   * @throws KubernetesClientException where the sessions cannot be listed, or the plan is for
   *     another namespace
   */
  public PlanReview review(PlanFile plan) {
    requireOurs(plan);
    return pruner.review(plan);
  }

  /**
   * Carries out a saved plan, whether or not the settings arm the pruning: the person does.
   *
   * @throws KubernetesClientException where the sessions cannot be listed, or the plan is for
   *     another namespace; nothing was deleted then
   * @throws StartFailure where records cannot be kept; nothing was deleted then
   */
  public PruneRun apply(PlanFile plan) {
    requireOurs(plan);
    try {
      return pruner.apply(plan);
    } catch (UncheckedIOException e) {
      throw new StartFailure(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    audit.close();
  }

  private void requireOurs(PlanFile plan) {
    if (!plan.namespace().equals(settings.sessionsNamespace())) {
      throw new KubernetesClientException(
          "the plan is for namespace %s, the settings (sessions.namespace) for %s"
              .formatted(plan.namespace(), settings.sessionsNamespace()));
    }
  }

  static SessionStore sessions(
      JanitorSettings settings, KubernetesClient client, InstantSource clock) {
    return new AutoDetectingStore(
        client, settings.rest().service(clock), settings.source(), settings.sessionsNamespace());
  }

  static Pruner pruner(
      JanitorSettings settings,
      KubernetesClient client,
      SessionStore sessions,
      InstantSource clock,
      AuditLog audit,
      CancellationToken cancellation) {
    var prune = settings.prune();
    var archive = prune.archive();
    var namespace = settings.sessionsNamespace();
    return new Pruner(
        sessions,
        client,
        namespace,
        prune.policy(),
        prune.throughput(),
        archive == null
            ? null
            : new SessionArchive(archive.folder(), archive.mostBytes(), client, namespace, clock),
        audit,
        cancellation,
        clock);
  }

  /** With the records' file, where the settings name one. */
  static AuditLog audit(JanitorSettings settings, Consumer<String> lines, InstantSource clock) {
    var records = settings.prune().records();
    var file = records.file();
    return new AuditLog(
        lines,
        file == null ? null : new AuditFile(file, records.mostBytes(), records.kept()),
        clock);
  }
}
