package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.Pages;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.SessionStore;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sessions, of which those that say they are pending are marked where a Job of theirs has not
 * finished. What would write so into the session may be the very thing that hangs; to delete it
 * then would end the Job in the middle of its work.
 */
record ActiveJobFilter(SessionStore store, KubernetesClient client, String namespace)
    implements SessionStore {

  /** A Job that begins after the Jobs were listed is seen when its session is to be deleted. */
  @Override
  public SessionList list() {
    var jobs =
        client.batch().v1().jobs().inNamespace(namespace).withLabel(SessionJobs.SESSION_LABEL);
    var active =
        Pages.<Job>of(jobs::list)
            .filter(job -> !SessionJobs.isFinished(job))
            .map(SessionJobs::session)
            .collect(Collectors.toSet());
    var list = store.list();
    var bound = new ActiveJobFilter(list.store(), client, namespace);
    return new SessionList(
        bound, list.serverTime(), list.sessions().map(session -> marked(session, active)));
  }

  @Override
  public Optional<Session> get(Session session) {
    return store.get(session).map(found -> marked(found, activeOf(found)));
  }

  @Override
  public Optional<JsonNode> document(Session session) {
    return store.document(session);
  }

  @Override
  public DeleteResult delete(Session session) {
    return activeOf(session).isEmpty() ? store.delete(session) : new DeleteResult(Status.CHANGED);
  }

  @Override
  public String holding(Session session) {
    return store.holding(session);
  }

  /** One that names its Job stays anyway. */
  private static boolean isPending(Session session) {
    return session.state().equals("pending") && session.job() == null;
  }

  private Set<String> activeOf(Session session) {
    if (!isPending(session)) {
      return Set.of();
    }
    var jobs =
        client
            .batch()
            .v1()
            .jobs()
            .inNamespace(namespace)
            .withLabel(SessionJobs.SESSION_LABEL, session.name());
    return Pages.<Job>of(jobs::list).allMatch(SessionJobs::isFinished)
        ? Set.of()
        : Set.of(session.name());
  }

  private static Session marked(Session session, Set<String> active) {
    if (!isPending(session) || !active.contains(session.name())) {
      return session;
    }
    var marks = EnumSet.of(Mark.JOB_ACTIVE);
    marks.addAll(session.marks());
    return session.withMarks(marks);
  }
}
