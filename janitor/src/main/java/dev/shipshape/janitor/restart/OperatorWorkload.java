package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.Pages;
import dev.shipshape.janitor.session.Times;
import dev.shipshape.service.ServerClock;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The operator's workload in the cluster. Restarts are recorded in its annotations, in the same
 * write that restarts it, so that they survive the janitor.
 */
final class OperatorWorkload {
  /** The largest daily budget. */
  private static final int MAX_RECORDED = 24;

  private final KubernetesClient client;
  private final Workload workload;
  private final String container;

  /**
   * Restarts by this process, and published by leaders before, for a workload whose annotations are
   * reverted and whose old ReplicaSets are not kept.
   */
  private final Set<Instant> remembered = new TreeSet<>();

  OperatorWorkload(KubernetesClient client, Workload workload, String container) {
    this.client = client;
    this.workload = workload;
    this.container = container;
  }

  void remember(OperatorReport report) {
    if (report.restarts() != null) {
      remembered.addAll(report.restarts().ours());
    }
    if (report.restartedAt() != null) {
      remembered.add(report.restartedAt());
    }
  }

  /**
   * Reads the workload with its pods, and all recorded starts and restarts.
   *
   * @throws KubernetesClientException if the workload does not exist or cannot be read
   */
  OperatorSnapshot read() {
    var serverTime = ServerClock.read(client);
    HasMetadata object = workload.in(client).get();
    if (object == null) {
      throw new KubernetesClientException(
          "there is no %s; check namespace and workload of the operator".formatted(workload));
    }
    var rollout = Rollout.of(object);
    var ours = new TreeSet<>(remembered);
    // Those of a workload that was there before under this name are not its own.
    Times.parse(object.getMetadata().getCreationTimestamp())
        .ifPresent(made -> ours.removeIf(restart -> restart.isBefore(made)));
    addOurs(object, ours);
    var restarts = new TreeSet<Instant>();
    OperatorSnapshot.restartedAt(rollout.template()).ifPresent(restarts::add);
    var starts = new TreeSet<Instant>();
    var owners = new HashSet<>(Set.of(object.getMetadata().getUid()));
    replicaSets(object, rollout)
        .forEach(
            each -> {
              owners.add(each.getMetadata().getUid());
              // Each restart leaves a ReplicaSet with its time and the Deployment's annotations,
              // even if a tool reverts these on the Deployment.
              addOurs(each, ours);
              Times.parse(each.getMetadata().getCreationTimestamp()).ifPresent(starts::add);
              OperatorSnapshot.restartedAt(each.getSpec().getTemplate()).ifPresent(restarts::add);
            });
    // Labels do not identify a pod: any user with the right to create pods can set them. Nor does
    // an owner, but Kubernetes takes away a false one that controls.
    var namespace = workload.namespace();
    var listed = client.pods().inNamespace(namespace).withLabelSelector(rollout.selector());
    var pods =
        Pages.of(listed::list, Pages.FEW)
            .filter(pod -> isOwned(pod, owners))
            .map(OperatorWorkload::slimmed)
            .toList();
    restarts.addAll(ours);
    while (ours.size() > MAX_RECORDED) {
      ours.removeFirst();
    }
    // A pod that is only added, by an autoscaler or on a new node, is no start of the operator:
    // the pod that has run for longest counts.
    pods.stream()
        .filter(OperatorSnapshot::isRunning)
        .flatMap(pod -> lastStart(pod).stream())
        .min(Comparator.naturalOrder())
        .ifPresent(starts::add);
    starts.addAll(restarts);
    return new OperatorSnapshot(
        workload,
        serverTime,
        object,
        pods,
        List.copyOf(restarts),
        List.copyOf(ours),
        starts.isEmpty() ? null : starts.last());
  }

  /** Returns a Deployment's ReplicaSets, which own its pods; other kinds have none. */
  private Stream<ReplicaSet> replicaSets(HasMetadata object, Rollout rollout) {
    if (!(object instanceof Deployment)) {
      return Stream.empty();
    }
    var owner = Set.of(object.getMetadata().getUid());
    var namespace = workload.namespace();
    var selector = rollout.selector();
    var listed = client.apps().replicaSets().inNamespace(namespace).withLabelSelector(selector);
    return Pages.of(listed::list).filter(each -> isOwned(each, owner));
  }

  private static void addOurs(HasMetadata object, Set<Instant> ours) {
    Stream.ofNullable(OperatorAnnotations.of(object, OperatorAnnotations.RESTARTS))
        .flatMap(times -> Stream.of(times.split(",", -1)))
        .flatMap(time -> Times.parse(time).stream())
        .forEach(ours::add);
  }

  /** A DaemonSet may have a thousand pods, of which only name and status are needed. */
  private static Pod slimmed(Pod pod) {
    pod.setSpec(null);
    pod.getMetadata().setManagedFields(null);
    pod.getMetadata().setAnnotations(null);
    return pod;
  }

  private static boolean isOwned(HasMetadata object, Set<String> owners) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(
            owner -> Boolean.TRUE.equals(owner.getController()) && owners.contains(owner.getUid()));
  }

  /**
   * Returns the last start of the operator's container, even if it has ended since or waits for its
   * next start. Each start, for any reason, begins the cooldown again.
   */
  private Optional<Instant> lastStart(Pod pod) {
    return pod.getStatus().getContainerStatuses().stream()
        .filter(status -> status.getName().equals(container))
        .flatMap(OperatorWorkload::starts)
        .flatMap(time -> Times.parse(time).stream())
        .max(Comparator.naturalOrder());
  }

  private static Stream<String> starts(ContainerStatus status) {
    var state = Objects.requireNonNullElseGet(status.getState(), ContainerState::new);
    var last = Objects.requireNonNullElseGet(status.getLastState(), ContainerState::new);
    return Stream.of(
            Optional.ofNullable(state.getRunning()).map(ContainerStateRunning::getStartedAt),
            Optional.ofNullable(state.getTerminated()).map(ContainerStateTerminated::getStartedAt),
            Optional.ofNullable(last.getTerminated()).map(ContainerStateTerminated::getStartedAt))
        .flatMap(Optional::stream);
  }

  /**
   * Restarts the workload as kubectl does, and records the restart in the same write.
   *
   * @param time to the second, as kubectl writes it
   * @throws KubernetesClientException with code 409, without a write, if the workload has changed
   */
  void restart(OperatorSnapshot snapshot, String reason, Instant time) {
    try {
      writeRestart(snapshot, reason, time);
    } catch (KubernetesClientException e) {
      // A patch whose answer was lost is sent again, and conflicts with itself.
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || !isRestartedAt(time)) {
        throw e;
      }
    }
    remembered.add(time);
  }

  private boolean isRestartedAt(Instant time) {
    var ours = new HashSet<Instant>();
    Stream.ofNullable(workload.in(client).get()).forEach(object -> addOurs(object, ours));
    return ours.contains(time);
  }

  private void writeRestart(OperatorSnapshot snapshot, String reason, Instant time) {
    var all = new ArrayList<>(snapshot.ours());
    all.add(time);
    var recorded = all.subList(Math.max(0, all.size() - MAX_RECORDED), all.size());
    patch(
        Map.of(
            "metadata",
            Map.of(
                "resourceVersion",
                snapshot.object().getMetadata().getResourceVersion(),
                "annotations",
                Map.of(
                    OperatorAnnotations.RESTARTS,
                    recorded.stream().map(Instant::toString).collect(Collectors.joining(",")),
                    OperatorAnnotations.RESTART_REASON,
                    reason)),
            "spec",
            Map.of(
                "template",
                annotations(Map.of(OperatorAnnotations.RESTARTED_AT, time.toString())))));
  }

  /**
   * Records the result of a restart, so that a later leader does not report it again.
   *
   * @throws KubernetesClientException if it cannot be written
   */
  void recordResult(Instant restart, RestartResult result) {
    patch(annotations(Map.of(OperatorAnnotations.RESTART_RESULT, result.annotation(restart))));
  }

  private static Map<String, Object> annotations(Map<String, String> annotations) {
    return Map.of("metadata", Map.of("annotations", annotations));
  }

  private void patch(Map<String, Object> change) {
    workload
        .in(client)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            client.getKubernetesSerialization().asJson(change));
  }
}
