package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clusters that are larger than the heap. */
@ExtendWith(ControlPlaneExtension.class)
@Execution(ExecutionMode.CONCURRENT)
@Timeout(240)
class LargeClusterTest {
  private final ControlPlane cluster;

  LargeClusterTest(ControlPlane cluster) {
    this.cluster = cluster;
  }

  @Promise(
      value = "3,000 large objects fit into the chart's memory limit.",
      breaks = "Keeping whole objects in the index.")
  @Test
  void threeThousandObjectsOfFiveKilobytes(@TempDir Path folder) throws Exception {
    assertReady(folder, "crowd.example.com", 3_000, 5_000);
  }

  private void assertReady(Path folder, String group, int count, int size) throws Exception {
    try (var widgets = WidgetCluster.open(cluster, group)) {
      widgets.storeAll(count, at -> members(at, size, at == count - 1));

      try (var webhook = ShippedWebhook.start(folder, cluster.kubeconfig(), widgets.guards())) {
        webhook.awaitReady();

        assertThat(webhook.metrics())
            .contains("shipshape_webhook_index_objects{guard=\"widgets\"} %d.0".formatted(count));
        assertThat(widgets.judge(webhook, members(count - 1, size, false)))
            .contains("\"allowed\":false", "widget-" + (count - 1));
        assertThat(widgets.judge(webhook, members(count, size, false)))
            .contains("\"allowed\":true");
      }
    }
  }

  /** A configuration of networks, each some 200 bytes. */
  private static String members(int variant, int size, boolean isInvalid) {
    var networks =
        IntStream.range(0, size / 200)
            .mapToObj(
                at ->
                    """
                    {"id":%d,"vni":%d,"mtu":9000,"vrf":"cluster-vrf-%d","neighSuppression":true,\
                    "anycastMac":"02:54:00:00:00:01","anycastGateways":["10.%d.%d.1/24",\
                    "fd00:%x::1/64"],"createMacVLANInterface":false}\
                    """
                        .formatted(at, 1_000 * variant + at, at % 7, at / 250, at % 250, at))
            .collect(Collectors.joining(",", "\"spec\":{\"layer2\":[", "]}"));
    return networks + (isInvalid ? ",\"status\":{\"state\":\"invalid\"}" : "");
  }
}
