package dev.shipshape.janitor.restart;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes operators as a governor sees them: at first one that may be restarted. */
final class TestOperators {
  private static final Workload WORKLOAD =
      new Workload(Workload.Kind.DEPLOYMENT, "services", "cray-cfs-operator");

  private final Instant server;
  private final DeploymentBuilder deployment =
      new DeploymentBuilder()
          .withNewMetadata()
          .withNamespace("services")
          .withName("cray-cfs-operator")
          .withGeneration(1L)
          .endMetadata()
          .withNewSpec()
          .withReplicas(1)
          .withNewTemplate()
          .withNewMetadata()
          .endMetadata()
          .endTemplate()
          .endSpec()
          .withNewStatus()
          .withObservedGeneration(1L)
          .withReplicas(1)
          .withUpdatedReplicas(1)
          .withAvailableReplicas(1)
          .endStatus();
  private List<Instant> restarts = List.of();
  private List<Instant> ours = List.of();
  private @Nullable Instant lastStart;

  /**
   * @param server the API server's clock
   */
  TestOperators(Instant server) {
    this.server = server;
  }

  /** By us, the last of which its pods bear. */
  TestOperators restarted(Instant... times) {
    restarts = List.of(times);
    ours = restarts;
    if (!restarts.isEmpty()) {
      template(restarts.getLast());
      lastStart = restarts.getLast();
    }
    return this;
  }

  /** Only ReplicaSets remember. */
  TestOperators rememberedElsewhere(Instant time) {
    restarts = List.of(time);
    return this;
  }

  /** Only ReplicaSets remember, and that it was ours. */
  TestOperators oursRememberedElsewhere(Instant time) {
    restarts = List.of(time);
    ours = restarts;
    return this;
  }

  TestOperators template(Instant time) {
    deployment
        .editSpec()
        .editTemplate()
        .editMetadata()
        .addToAnnotations(OperatorAnnotations.RESTARTED_AT, time.toString())
        .endMetadata()
        .endTemplate()
        .endSpec();
    return this;
  }

  TestOperators started(Instant time) {
    lastStart = time;
    return this;
  }

  TestOperators replicas(int count) {
    deployment.editSpec().withReplicas(count).endSpec();
    return this;
  }

  TestOperators paused() {
    deployment.editSpec().withPaused(true).endSpec();
    return this;
  }

  TestOperators inProgress() {
    deployment.editStatus().withObservedGeneration(0L).endStatus();
    return this;
  }

  TestOperators annotated(String name, String value) {
    deployment.editMetadata().addToAnnotations(name, value).endMetadata();
    return this;
  }

  TestOperators labelled(String name, String value) {
    deployment.editMetadata().addToLabels(name, value).endMetadata();
    return this;
  }

  OperatorSnapshot snapshot() {
    return new OperatorSnapshot(
        WORKLOAD, server, deployment.build(), List.of(), restarts, ours, lastStart);
  }

  /** With no pods and no restarts. */
  static OperatorSnapshot of(Instant server, Deployment deployment) {
    return new OperatorSnapshot(
        WORKLOAD, server, deployment, List.of(), List.of(), List.of(), null);
  }
}
