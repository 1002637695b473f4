package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.DeleteOptions;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.prune.Workloads.Workload;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes Jobs that the operator should have removed with their sessions and did not. The name of a
 * Job in a session proves nothing: users can write it. So the Job itself must tell that it is one.
 */
final class LeakedJobs {
  private static final Logger logger = LoggerFactory.getLogger(LeakedJobs.class);
  private static final Pattern NAME =
      Pattern.compile("cfs-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final KubernetesApi api;
  private final String namespace;
  private final String jobs;
  private final Sessions sessions;
  private final LeakedJobPolicy policy;
  private final Journal journal;

  LeakedJobs(
      KubernetesApi api,
      String namespace,
      Sessions sessions,
      LeakedJobPolicy policy,
      Journal journal) {
    this.journal = journal;
    this.namespace = namespace;
    this.api = api;
    this.jobs = "/apis/batch/v1/namespaces/" + namespace + "/jobs/";
    this.sessions = sessions;
    this.policy = policy;
  }

  boolean isArmed() {
    return policy.armed();
  }

  /** How long to wait for the operator before its work is done for it. */
  Duration patience(Duration deadline) {
    var most = policy.armed() ? policy.after() : deadline;
    return most.compareTo(deadline) < 0 ? most : deadline;
  }

  /** Removes one, if it is what it seems; otherwise says why it stays. */
  void remove(Workload leaked) {
    var job = api.find(jobs + leaked.name()).orElse(null);
    if (job == null || !job.at("/metadata/uid").asText().equals(leaked.uid())) {
      return;
    }
    var reason = reasonToKeep(job, leaked.session());
    if (reason.isPresent()) {
      logger.warn("job {}: leaked, but left: {}", leaked.name(), reason.get());
      return;
    }
    var version = job.at("/metadata/resourceVersion").asText();
    var answer = api.delete(jobs + leaked.name(), new DeleteOptions(leaked.uid(), version));
    logger.info(
        "job {} uid {}: leaked by the operator, removal answered {} {}",
        leaked.name(),
        leaked.uid(),
        answer.code(),
        answer.message());
    journal.record(
        new JobRemoval(
            namespace + "/" + leaked.name(),
            leaked.uid(),
            leaked.session().reference(),
            answer.code(),
            answer.code() < 300 ? "" : answer.message()));
  }

  private Optional<String> reasonToKeep(JsonNode job, Session session) {
    var labels = job.at("/metadata/labels");
    if (!NAME.matcher(job.at("/metadata/name").asText()).matches()) {
      return Optional.of("its name is not cfs- and a UUID");
    }
    if (!labels.path("app.kubernetes.io/name").asText().equals("cray-cfs-aee")) {
      return Optional.of("it lacks the label app.kubernetes.io/name: cray-cfs-aee");
    }
    if (!labels.path(Workloads.SESSION_LABEL).asText().equals(session.name())) {
      return Optional.of("it is not labelled with the deleted session's name");
    }
    if (!isFinished(job)) {
      return Optional.of("it has not finished");
    }
    return livingSession(job.at("/metadata/name").asText(), session)
        .map(living -> "session " + living + " lives");
  }

  private static boolean isFinished(JsonNode job) {
    for (var condition : job.at("/status/conditions")) {
      var type = condition.path("type").asText();
      if ((type.equals("Complete") || type.equals("Failed"))
          && condition.path("status").asText().equals("True")) {
        return true;
      }
    }
    return false;
  }

  /** A living session that names this Job, or that has the deleted one's name. */
  private Optional<String> livingSession(String job, Session deleted) {
    var living = new AtomicReference<String>();
    sessions.list(
        new Sessions.Listener() {
          @Override
          public void begin(Instant server) {}

          @Override
          public void each(Session session) {
            if (job.equals(session.job()) || session.name().equals(deleted.name())) {
              living.set(session.reference());
            }
          }
        });
    return Optional.ofNullable(living.get());
  }
}
