package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.SessionArchive;
import dev.shipshape.janitor.prune.Verdict;
import dev.shipshape.janitor.session.AutoDetectingStore;
import dev.shipshape.janitor.session.RestService;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Pruning by hand. It needs no Lease: each deletion is guarded by itself, and a session that a
 * janitor was faster with ends as already gone.
 */
public final class ManualPrune {
  private final Pruner pruner;

  /**
   * @param records writes and flushes an audit line before it returns
   * @param cancellation ends what is under way between two objects
   */
  public ManualPrune(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      Consumer<String> records,
      CancellationToken cancellation) {
    var audit = new AuditLog(records, clock);
    var sessions = sessions(settings, client);
    this.pruner = pruner(settings, client, sessions, clock, audit, cancellation);
  }

  /** Says of each session what the policy says of it; fails as {@link #run}. */
  public void judge(BiConsumer<Session, Verdict> each) {
    pruner.judge(each);
  }

  /**
   * One run, whatever the settings arm: the person does.
   *
   * @param confirmed false to report only
   * @throws KubernetesClientException if the sessions cannot be listed; nothing was deleted then
   */
  public RunReport run(boolean confirmed) {
    return pruner.run(confirmed, Duration.ZERO);
  }

  /** Waits until all that a run deleted is gone, with its Jobs and pods. */
  public RunReport verify(RunReport report, Duration deadline) {
    return pruner.verify(report, deadline);
  }

  static SessionStore sessions(JanitorSettings settings, KubernetesClient client) {
    return new AutoDetectingStore(
        client, new RestService(settings.rest()), settings.source(), settings.sessionsNamespace());
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
}
