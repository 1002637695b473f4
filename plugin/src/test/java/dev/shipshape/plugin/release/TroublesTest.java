package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TroublesTest {
  private static final Instant START = Instant.parse("2026-11-22T04:00:00Z");
  private static final Instant LATER = START.plus(Duration.ofHours(1));

  private static final String READY = "{\"type\": \"Ready\", \"status\": \"True\"}";
  private static final String UNREADY =
      """
      {"type": "Ready", "status": "False", "reason": "ContainersNotReady",
       "message": "containers with unready status: [webhook]"}
      """;
  private static final String UNSCHEDULED =
      """
      {"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
       "message": "0/1 nodes are available"}
      """;
  private static final String NO_CONTAINERS = "[]";

  @Test
  void aPodThatIsReadyIsNoTrouble() throws Exception {
    assertThat(inPod("Running", READY, NO_CONTAINERS, LATER)).isEmpty();
  }

  @Test
  void aContainerThatWaitsSaysWhyAndOnce() throws Exception {
    var waiting =
        """
        [{"name": "webhook", "state": {"waiting": {"reason": "ImagePullBackOff",
          "message": "Back-off pulling image"}}},
         {"name": "janitor", "state": {"running": {}}}]
        """;

    assertThat(inPod("Pending", UNREADY, waiting, LATER))
        .containsExactly("pod-1/webhook: ImagePullBackOff Back-off pulling image");
  }

  @Test
  void aPodThatNoNodeTakesIsSaidInTheSchedulersWords() throws Exception {
    var pod =
        json(
            """
            {"metadata": {"name": "pod-1"},
             "status": {"phase": "Pending", "conditions": [%s]}}
            """
                .formatted(UNSCHEDULED));

    assertThat(Troubles.ofPod(pod, LATER))
        .containsExactly("pod-1 has no node: Unschedulable 0/1 nodes are available");
  }

  @Test
  void aPodThatRunsAndIsNotReadyIsSaidOnceItHadTheTimeToStart() throws Exception {
    assertThat(inPod("Running", UNREADY, NO_CONTAINERS, START.plusSeconds(59))).isEmpty();
    assertThat(inPod("Running", UNREADY, NO_CONTAINERS, START.plusSeconds(60)))
        .containsExactly(
            "pod-1 is not ready: ContainersNotReady containers with unready status: [webhook]");
  }

  @Test
  void aPodThatIsToEndOrHasEndedIsNoTrouble() throws Exception {
    var ending =
        json(
            """
            {"metadata": {"name": "pod-1", "deletionTimestamp": "2026-11-22T04:30:00Z"},
             "status": {"phase": "Running", "conditions": [%s]}}
            """
                .formatted(UNREADY));

    assertThat(Troubles.ofPod(ending, LATER)).isEmpty();
    assertThat(inPod("Failed", UNREADY, NO_CONTAINERS, LATER)).isEmpty();
  }

  @Test
  void aDeploymentThatMayNotMakeItsPodsSaysWhy() throws Exception {
    assertThat(Troubles.ofDeployment(deployment("True")))
        .containsExactly("shipshape cannot make its pods: FailedCreate exceeded quota: pods");
    assertThat(Troubles.ofDeployment(deployment("False"))).isEmpty();
  }

  private static JsonNode deployment(String failure) throws Exception {
    return json(
        """
        {"metadata": {"name": "shipshape"},
         "status": {"conditions": [
           {"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable"},
           {"type": "ReplicaFailure", "status": "%s", "reason": "FailedCreate",
            "message": "exceeded quota: pods"}]}}
        """
            .formatted(failure));
  }

  private static List<String> inPod(String phase, String condition, String containers, Instant now)
      throws Exception {
    var pod =
        json(
            """
            {"metadata": {"name": "pod-1"},
             "status": {"phase": "%s", "startTime": "%s", "conditions": [%s],
                        "containerStatuses": %s}}
            """
                .formatted(phase, START, condition, containers));
    return Troubles.ofPod(pod, now);
  }

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }
}
