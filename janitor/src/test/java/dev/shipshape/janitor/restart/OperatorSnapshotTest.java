package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorSnapshotTest {
  @ParameterizedTest
  @CsvSource({
    "3,2,2,2,2,NewReplicaSetAvailable,false,complete",
    "3,2,2,2,1,NewReplicaSetAvailable,false,a pod died after it was complete",
    "3,2,2,2,1,ReplicaSetUpdated,true,the new pods are not yet there",
    "3,2,2,2,0,ProgressDeadlineExceeded,true,the new pods never come",
    "3,2,2,3,2,NewReplicaSetAvailable,true,an old pod is still there",
    "3,2,1,2,2,ReplicaSetUpdated,true,a pod is not yet the newest",
    "2,2,2,2,2,NewReplicaSetAvailable,true,the change is not yet seen",
    "3,2,2,2,1,None,true,nothing says that it was ever complete",
    "3,2,2,2,1,NoDeadline,false,nothing would ever say so"
  })
  void whetherARolloutIsUnderWay(
      int observed,
      int wanted,
      int updated,
      int replicas,
      int available,
      String progressing,
      boolean inProgress,
      String what) {
    var deployment =
        Serialization.unmarshal(
            """
            {"metadata": {"generation": 3}, "spec": {"replicas": %d, "progressDeadlineSeconds": %d},
             "status": {"observedGeneration": %d, "updatedReplicas": %d, "replicas": %d,
              "availableReplicas": %d, "conditions": [
               {"type": "Available", "reason": "x"}, {"type": "Progressing", "reason": "%s"}]}}
            """
                .formatted(
                    wanted,
                    progressing.equals("NoDeadline") ? Integer.MAX_VALUE : 600,
                    observed,
                    updated,
                    replicas,
                    available,
                    progressing),
            Deployment.class);
    var operator = TestOperators.of(Instant.EPOCH, deployment);
    assertThat(operator.rollout().isInProgress()).as(what).isEqualTo(inProgress);
  }
}
