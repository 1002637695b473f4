package dev.shipshape.janitor.kubernetes;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class HangingAnswerTest {
  @Test
  void aListThatStopsInTheMiddleEndsAfterItsTime(ControlPlane controlPlane) throws Exception {
    try (var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      faulty.once(request -> request.contains("namespaces"), faulty.stall());
      var pages = new ListPages(new KubernetesApi(client, Duration.ofSeconds(5)));
      assertThatExceptionOfType(ApiFailure.class)
          .isThrownBy(() -> pages.read("/api/v1/namespaces", _ -> {}))
          .withMessageContaining("/api/v1/namespaces")
          .withMessageContaining("it took longer than PT5S");
    }
  }
}
