package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.Pages;
import dev.shipshape.janitor.session.Session;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The Jobs and pods of sessions, by label. A Job has no owner reference to its session: the
 * operator deletes the Job, and leaks it if it was not watching at that moment. No later session
 * has the same name: the batcher's names are UUIDs.
 */
record SessionJobs(KubernetesClient client, String namespace) {
  static final String SESSION_LABEL = "cfsession";

  /** Returns the sessions whose Jobs and pods still exist, each with these and what holds them. */
  Map<Session, String> findRemaining(Collection<Session> sessions) {
    var byName = new HashMap<String, Session>();
    for (var session : sessions) {
      byName.put(session.name(), session);
      // A Job of the older operator may lack the label; then its name identifies it.
      if (session.job() != null) {
        byName.put(session.job(), session);
      }
    }
    var remaining = new HashMap<Session, String>();
    BiConsumer<String, HasMetadata> add =
        (kind, found) -> {
          var name = found.getMetadata().getName();
          var session = byName.getOrDefault(session(found), byName.get(name));
          if (session != null) {
            var held = "%s %s: %s".formatted(kind, name, remainingReason(found));
            remaining.merge(session, held, "%s; %s"::formatted);
          }
        };
    // Their settings may be large, and are not needed.
    Pages.of(client.batch().v1().jobs().inNamespace(namespace)::listAsPartialObjectMetadata)
        .forEach(job -> add.accept("job", job));
    Pages.of(
            client.pods().inNamespace(namespace).withLabel(SESSION_LABEL)
                ::listAsPartialObjectMetadata)
        .forEach(pod -> add.accept("pod", pod));
    return remaining;
  }

  /** Lists the pods of a session, as the API server has them in memory: they have long ended. */
  List<Pod> pods(Session session) {
    var inMemory = new ListOptionsBuilder().withResourceVersion("0").build();
    var pods = client.pods().inNamespace(namespace);
    return pods.withLabel(SESSION_LABEL, session.name()).list(inMemory).getItems();
  }

  private static String session(HasMetadata object) {
    return object.getMetadata().getLabels().getOrDefault(SESSION_LABEL, "");
  }

  private static String remainingReason(HasMetadata object) {
    if (object.getMetadata().getDeletionTimestamp() == null) {
      return "not marked for deletion";
    }
    var finalizers = object.getFinalizers();
    return finalizers.isEmpty()
        ? "marked for deletion, without finalizers"
        : "finalizers " + finalizers;
  }
}
