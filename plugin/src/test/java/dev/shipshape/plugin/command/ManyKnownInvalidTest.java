package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.service.ApiConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** As many KnownInvalidConfigurations as a guard may have, each as large as it may be. */
@ExtendWith(ControlPlaneExtension.class)
@Timeout(240)
class ManyKnownInvalidTest {
  private static final int MOST = 1000;
  private static final int TRIED = 40;
  private static final String PATH = "/apis/shipshape.dev/v1alpha1/knowninvalidconfigurations";

  private final ControlPlane cluster;

  ManyKnownInvalidTest(ControlPlane cluster) {
    this.cluster = cluster;
  }

  @Test
  void theyFitTheHeapOfAReplica(@TempDir Path folder) throws Exception {
    try (var widgets = WidgetCluster.open(cluster, "many.example.com")) {
      define(widgets);
      WidgetCluster.createAll(MOST, number -> () -> store(widgets, number));

      try (var webhook = ShippedWebhook.start(folder, cluster.kubeconfig(), widgets.guards())) {
        webhook.awaitReady();

        webhook.await(
            () ->
                webhook
                    .metrics()
                    .contains(
                        "shipshape_webhook_known_invalid_configurations{guard=\"widgets\",verdict=\"invalid\"}"
                            + " 1000"));
      } finally {
        widgets.send("DELETE", PATH, "");
      }
    }
  }

  /** In forged reviews: no user of an API server has such a name. */
  @Test
  void theLongestNamesOfThoseWhoTryThemAgainDoNotFillTheHeap(@TempDir Path folder)
      throws Exception {
    try (var widgets = WidgetCluster.open(cluster, "tried.example.com")) {
      define(widgets);
      widgets.storeAll(TRIED, number -> spec(number) + ",\"status\":{\"state\":\"invalid\"}");
      try (var webhook = ShippedWebhook.start(folder, cluster.kubeconfig(), widgets.guards())) {
        webhook.awaitReady();
        webhook.await(
            () ->
                widgets.send("GET", PATH, "").body().split("\"KnownInvalidConfiguration\"").length
                    > TRIED);

        // The first attempt is stored at once, those of the next minute are held.
        for (var attempt = 0; attempt < 2; attempt++) {
          for (var number = 0; number < TRIED; number++) {
            assertThat(widgets.judge(webhook, "u".repeat(3_000_000), spec(number)))
                .contains("\"allowed\":false");
          }
        }

        webhook.assertLives();
      } finally {
        widgets.send("DELETE", PATH, "");
      }
    }
  }

  private static String spec(int number) {
    return "\"spec\":{\"a\":%d}".formatted(number);
  }

  private void define(WidgetCluster widgets) throws Exception {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      var definition = Path.of("../chart/files/knowninvalidconfigurations.yaml");
      client.load(Files.newInputStream(definition)).serverSideApply();
    }
    Eventually.holds("they are served", () -> widgets.send("GET", PATH, "").statusCode() == 200);
    // What others have left would be counted too.
    widgets.send("DELETE", PATH, "");
  }

  private static int store(WidgetCluster widgets, int number) throws Exception {
    var object =
        """
        {"apiVersion":"shipshape.dev/v1alpha1","kind":"KnownInvalidConfiguration",
         "metadata":{"name":"widgets.%1$064x"},
         "spec":{"guard":"widgets","hash":"v1:%1$064x","verdict":"Invalid","reason":"%2$s",
          "source":{"kind":"Widget","name":"w-%1$d","uid":"u"},
          "failures":{"node-%1$d":{"failedAt":"2026-11-21T12:00:00Z","message":"%2$s","writer":"operator"}},
          "content":{"large":"%3$s"}}}
        """
            .formatted(number, "r".repeat(1000), "x".repeat(32 * 1000));
    return widgets.send("POST", PATH, object).statusCode();
  }
}
