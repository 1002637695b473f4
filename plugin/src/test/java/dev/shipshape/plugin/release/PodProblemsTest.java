package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodProblemsTest {
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
    assertThat(inPod("Running", READY, NO_CONTAINERS)).isEmpty();
  }

  @Test
  void aContainerThatWaitsSaysWhyAndOnce() throws Exception {
    var waiting =
        """
        [{"name": "webhook", "state": {"waiting": {"reason": "ImagePullBackOff",
          "message": "Back-off pulling image"}}},
         {"name": "janitor", "state": {"running": {}}}]
        """;

    assertThat(inPod("Pending", UNREADY, waiting))
        .containsExactly("pod-1/webhook: ImagePullBackOff Back-off pulling image");
  }

  @Test
  void aContainerThatCrashedSaysItsLastLines() throws Exception {
    var crashed =
        """
        [{"name": "webhook", "state": {"waiting": {"reason": "CrashLoopBackOff",
          "message": "back-off"}},
          "lastState": {"terminated": {"exitCode": 3, "message": "cannot go on\\nBye.\\n"}}}]
        """;

    assertThat(inPod("Running", UNREADY, crashed))
        .containsExactly(
            "pod-1/webhook: CrashLoopBackOff back-off; its last lines:\n  cannot go on\n  Bye.");
  }

  /** The chart has a place for init containers, which may be pulled from elsewhere. */
  @Test
  void anInitContainerThatWaitsSaysWhyBeforeThoseThatWaitForIt() throws Exception {
    var pod =
        read(
            Pod.class,
            """
            {"metadata": {"name": "pod-1"},
             "status": {"phase": "Pending", "conditions": [%s],
                        "initContainerStatuses": [
                          {"name": "proxy", "state": {"waiting": {"reason": "ImagePullBackOff",
                            "message": "Back-off pulling image"}}}],
                        "containerStatuses": [
                          {"name": "webhook", "state": {"waiting": {"reason": "PodInitializing"}}}]}}
            """
                .formatted(UNREADY));

    assertThat(PodProblems.of(List.of(), List.of(pod)))
        .containsExactly(
            "pod-1/proxy: ImagePullBackOff Back-off pulling image",
            "pod-1/webhook: PodInitializing");
  }

  @Test
  void aPodThatNoNodeTakesIsSaidInTheSchedulersWords() throws Exception {
    assertThat(inPod("Pending", UNSCHEDULED, NO_CONTAINERS))
        .containsExactly("pod-1: not PodScheduled Unschedulable 0/1 nodes are available");
  }

  @Test
  void aPodThatRunsAndIsNotReadyIsSaid() throws Exception {
    assertThat(inPod("Running", UNREADY, NO_CONTAINERS))
        .containsExactly(
            "pod-1: not Ready ContainersNotReady containers with unready status: [webhook]");
  }

  @Test
  void aPodThatIsToEndOrHasEndedIsNoTrouble() throws Exception {
    var ending =
        read(
            Pod.class,
            """
            {"metadata": {"name": "pod-1", "deletionTimestamp": "2026-11-22T04:30:00Z"},
             "status": {"phase": "Running", "conditions": [%s]}}
            """
                .formatted(UNREADY));

    assertThat(PodProblems.of(List.of(), List.of(ending))).isEmpty();
    assertThat(inPod("Failed", UNREADY, NO_CONTAINERS)).isEmpty();
  }

  @Test
  void aDeploymentThatMayNotMakeItsPodsSaysWhy() throws Exception {
    assertThat(PodProblems.of(List.of(deployment("True")), List.of()))
        .containsExactly("shipshape: exceeded quota: pods");
    assertThat(PodProblems.of(List.of(deployment("False")), List.of())).isEmpty();
  }

  private static Deployment deployment(String failure) throws Exception {
    return read(
        Deployment.class,
        """
        {"metadata": {"name": "shipshape"},
         "status": {"conditions": [
           {"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable"},
           {"type": "ReplicaFailure", "status": "%s", "reason": "FailedCreate",
            "message": "exceeded quota: pods"}]}}
        """
            .formatted(failure));
  }

  private static List<String> inPod(String phase, String condition, String containers)
      throws Exception {
    var pod =
        read(
            Pod.class,
            """
            {"metadata": {"name": "pod-1"},
             "status": {"phase": "%s", "conditions": [%s],
                        "containerStatuses": %s}}
            """
                .formatted(phase, condition, containers));
    return PodProblems.of(List.of(), List.of(pod));
  }

  private static <T> T read(Class<T> kind, String text) throws Exception {
    return new ObjectMapper().readValue(text, kind);
  }
}
