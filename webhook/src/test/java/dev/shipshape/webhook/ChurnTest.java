package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.KNOWN_INVALID;
import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.AuditLog.Cost;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What the webhook costs the API server over a day's writes of a cluster with 300 nodes: it lists
 * once and then watches, so that its requests do not grow with what happens.
 */
@Isolated("counts requests, and deletes what other tests have")
@ExtendWith(ControlPlaneExtension.class)
class ChurnTest {
  private static final int OBJECTS = 300;
  private static final int WRITERS = 16;

  /**
   * One of each resource that a guard watches, of which there are three, of both webhook
   * configurations, which say what is armed, of nodes, and of what is known invalid.
   */
  private static final Cost MOST_LISTS = new Cost(7, 14_000);

  /** One of each, begun anew once in case the API server ended it; a line is some 1,000 bytes. */
  private static final Cost MOST_WATCHES = new Cost(14, 35_000);

  @Promise(
      value =
          "To decide, the webhook only sends one list and one watch for each resource; it writes"
              + " nothing but Events and its own records.",
      breaks = "Polling, a list for each write, or writing a guarded object.")
  @Test
  void aDayOfWritesCostsAListAndAWatchAndAQuietTimeNothing(
      ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    var prefix = names.name("churn");
    try (var api = Api.asAdministrator(cluster)) {
      // What other tests have left is known invalid, which costs requests of its own.
      api.delete(NODE_CONFIGS);
      api.delete(KNOWN_INVALID);
      var log = AuditLog.beginning(cluster, InstalledWebhook.USER + prefix);
      var webhook = InstalledWebhook.install(cluster, api, folder, prefix);
      try {
        aDay(api, prefix);
        eventually(
            () ->
                assertThat(
                        webhook.metric("shipshape_webhook_index_objects", "guard=\"nodeconfig\""))
                    .isGreaterThanOrEqualTo(OBJECTS));

        var day = log.byVerb();
        assertThat(day).as(day.toString()).containsOnlyKeys("list", "watch");
        assertThat(day).hasEntrySatisfying("list", cost -> assertBound(cost, MOST_LISTS));
        assertThat(day).hasEntrySatisfying("watch", cost -> assertBound(cost, MOST_WATCHES));

        var quiet = AuditLog.beginning(cluster, InstalledWebhook.USER + prefix);
        each(number -> () -> api.get(NODE_CONFIGS + "/" + prefix + "-" + number).expect(200));
        // A watch lasts two minutes, so one may end in this time and begin anew.
        assertThat(quiet.byVerb().keySet()).as("nothing changed").isSubsetOf("watch");
      } finally {
        webhook.remove();
      }
    }
  }

  /** Each node's configuration is written, applied, taken over again, and sometimes changed. */
  private static void aDay(Api api, String prefix) throws Exception {
    each(
        number ->
            () ->
                api.post(NODE_CONFIGS, NodeConfigs.config(prefix + "-" + number, 1 + number))
                    .expect(201));
    for (var status : new String[] {"provisioning", "provisioned"}) {
      each(
          number ->
              () ->
                  api.merge(
                          "%s/%s-%d/status".formatted(NODE_CONFIGS, prefix, number),
                          json("{status: {configStatus: '%s'}}".formatted(status)))
                      .expect(200));
    }
    // As an operator's resync: the same again, which the API server does not store.
    each(
        number ->
            () ->
                api.merge(
                        "%s/%s-%d".formatted(NODE_CONFIGS, prefix, number),
                        json("{spec: {routingTable: [{tableId: 1000}]}}"))
                    .expect(200));
  }

  private static void each(IntFunction<Callable<Api.Reply>> request) throws Exception {
    try (var writers = Executors.newFixedThreadPool(WRITERS)) {
      var written = new ArrayList<Future<Api.Reply>>();
      IntStream.range(0, OBJECTS)
          .mapToObj(request)
          .forEach(one -> written.add(writers.submit(one)));
      for (var one : written) {
        one.get();
      }
    }
  }

  private static void assertBound(Cost cost, Cost most) {
    assertThat(cost.requests()).isPositive().isLessThanOrEqualTo(most.requests());
    assertThat(cost.bytes()).isLessThanOrEqualTo(most.bytes());
  }
}
