package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Objects that are stored, whatever they cost, and so reach every replica. */
@ExtendWith(ControlPlaneExtension.class)
@Execution(ExecutionMode.CONCURRENT)
@Timeout(240)
class HostileStorageTest {
  private static final String INVALID =
      "\"spec\":{\"layer2\":[{\"id\":2},{\"id\":1}]},\"status\":{\"state\":\"invalid\"}";
  private static final String SAME = "\"spec\":{\"layer2\":[{\"id\":1},{\"id\":2}]}";
  private static final String OTHER = "\"spec\":{\"layer2\":[{\"id\":3}]}";

  private final ControlPlane cluster;

  HostileStorageTest(ControlPlane cluster) {
    this.cluster = cluster;
  }

  @Test
  void aReplicaLivesAlsoWhenRestartedAndSaysWhatItCannotJudge(@TempDir Path folder)
      throws Exception {
    try (var widgets = WidgetCluster.open(cluster, "hostile.example.com");
        var replica = start(widgets, folder.resolve("first"))) {
      var stored = store(widgets);
      widgets.store("bad", INVALID);

      assertJudges(widgets, replica, stored);
      try (var restarted = start(widgets, folder.resolve("restarted"))) {
        assertJudges(widgets, restarted, stored);
      }
    }
  }

  private ShippedWebhook start(WidgetCluster widgets, Path folder) throws Exception {
    var webhook = ShippedWebhook.start(folder, cluster.kubeconfig(), widgets.guards());
    webhook.awaitReady();
    return webhook;
  }

  /** Stores whatever the API server takes; gives the names. */
  private static List<String> store(WidgetCluster widgets) throws Exception {
    var names = new ArrayList<String>();
    for (var hostile : HostileObjects.ofStorage().entrySet()) {
      var name = "hostile-" + names.size();
      var answer = widgets.store(name, hostile.getValue());
      assertThat(answer.statusCode()).as(hostile.getKey() + answer.body()).isEqualTo(201);
      names.add(name);
    }
    return names;
  }

  /** What came before the last object has been seen where that is known. */
  private static void assertJudges(
      WidgetCluster widgets, ShippedWebhook webhook, List<String> stored) throws Exception {
    webhook.await(() -> widgets.judge(webhook, SAME).contains("known invalid"));
    assertThat(widgets.judge(webhook, SAME)).contains("\"allowed\":false");
    assertThat(widgets.judge(webhook, OTHER)).contains("\"allowed\":true");
    var number = 0;
    for (var hostile : HostileObjects.ofStorage().entrySet()) {
      var said = "cannot judge widgets.hostile.example.com " + stored.get(number++);
      if (!HostileObjects.WITHIN_BOUNDS.contains(hostile.getKey())) {
        assertThat(webhook.log()).as(hostile.getKey()).contains(said);
        assertThat(widgets.judge(webhook, hostile.getValue()))
            .as(hostile.getKey())
            .doesNotContain("\"allowed\":true");
      } else {
        assertThat(webhook.log()).as(hostile.getKey()).doesNotContain(said);
        assertThat(widgets.judge(webhook, hostile.getValue()))
            .as(hostile.getKey())
            .contains("\"allowed\":true");
      }
    }
  }
}
