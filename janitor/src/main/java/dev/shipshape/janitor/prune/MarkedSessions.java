package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.kubernetes.ListPages;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.session.DeleteAnswer;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.Sessions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Sessions, of which those that say they are pending are marked where a Job of theirs has not
 * finished. What would write so into the session may be the very thing that hangs; to delete it
 * then would end the Job in the middle of its work.
 */
final class MarkedSessions implements Sessions {
  private final Sessions sessions;
  private final KubernetesApi api;
  private final String jobs;
  private final StopSignal stop;

  /**
   * @param namespace where the Jobs are
   */
  MarkedSessions(Sessions sessions, KubernetesApi api, String namespace, StopSignal stop) {
    this.sessions = sessions;
    this.api = api;
    this.jobs =
        "/apis/batch/v1/namespaces/%s/jobs?labelSelector=%s"
            .formatted(namespace, Workloads.SESSION_LABEL);
    this.stop = stop;
  }

  /** A Job that begins after the Jobs were listed is seen when its session is to be deleted. */
  @Override
  public void list(Listener listener) {
    sessions.list(marking(listener));
  }

  @Override
  public void listLiving(Listener listener) {
    sessions.listLiving(marking(listener));
  }

  private Listener marking(Listener listener) {
    var working = working(jobs);
    return new Listener() {
      @Override
      public void begin(Instant server) {
        listener.begin(server);
      }

      @Override
      public void each(Session session) {
        listener.each(
            isPending(session) && working.contains(session.name()) ? marked(session) : session);
      }
    };
  }

  @Override
  public Optional<Session> reread(Session session) {
    return sessions
        .reread(session)
        .map(found -> isPending(found) && isWorking(found) ? marked(found) : found);
  }

  @Override
  public DeleteAnswer delete(Session session) {
    if (isPending(session)) {
      try {
        if (isWorking(session)) {
          return new DeleteAnswer.Conflict();
        }
      } catch (ApiFailure e) {
        return new DeleteAnswer.NotSent(String.valueOf(e.getMessage()), e.retryAfter());
      }
    }
    return sessions.delete(session);
  }

  @Override
  public Map<Session, String> awaitGone(Collection<Session> sessions, Duration deadline) {
    return this.sessions.awaitGone(sessions, deadline);
  }

  @Override
  public Map<Session, String> awaitGone(
      Collection<Session> sessions, Duration deadline, Consumer<Session> gone) {
    return this.sessions.awaitGone(sessions, deadline, gone);
  }

  /** One that names its Job stays anyway. */
  private static boolean isPending(Session session) {
    return session.state().equals("pending") && session.job() == null;
  }

  private boolean isWorking(Session session) {
    var equal = "=" + session.name();
    return !working(jobs + URLEncoder.encode(equal, StandardCharsets.UTF_8)).isEmpty();
  }

  /** The names of the sessions whose Jobs have not finished. */
  private Set<String> working(String path) {
    var names = new HashSet<String>();
    new ListPages(api, stop)
        .read(
            path,
            ListPages.FULL,
            job -> {
              if (!OperatorJobs.isFinished(job)) {
                names.add(OperatorJobs.session(job));
              }
            });
    return names;
  }

  private static Session marked(Session session) {
    var marks = EnumSet.of(Mark.WORKING);
    marks.addAll(session.marks());
    return new Session(
        session.namespace(),
        session.name(),
        session.uid(),
        session.resourceVersion(),
        session.state(),
        session.times(),
        session.job(),
        marks);
  }
}
