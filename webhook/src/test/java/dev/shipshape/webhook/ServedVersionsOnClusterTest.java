package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An operator graduates its CustomResourceDefinition while a guard is on its first version. */
@ExtendWith(ControlPlaneExtension.class)
class ServedVersionsOnClusterTest {
  private static final String GROUP = "graduating.example.com";
  private static final String THINGS = "/apis/" + GROUP + "/v1alpha1/things";
  private static final String GUARD =
      """
      guards:
      - name: things
        resource: {group: graduating.example.com, version: v1alpha1, plural: things, kind: Thing}
        identity: {content: spec}
        invalidWhen: {field: status.state, equals: failed}
      """;

  @Promise(
      value = "A CRD that stops serving a version blocks no write and forgets nothing.",
      breaks = "Waiting for the informer of every version.")
  @Test
  void aVersionThatIsNoLongerServedHoldsUpNoWriteAndWhatIsKnownIsRefusedOn(
      ControlPlane controlPlane, UniqueNames names, @TempDir Path folder) throws Exception {
    var user = names.name("webhook");
    try (var cluster = FaultyCluster.open(controlPlane, user, folder)) {
      var api = cluster.api();
      api.grant(
          user + "-things",
          user,
          "{apiGroups: ['%s'], resources: ['things'], verbs: ['list', 'watch']}".formatted(GROUP));
      define(api, true);
      eventually(() -> api.get(THINGS).expect(200));
      api.post(
              THINGS,
              json(
                  """
                  {apiVersion: 'graduating.example.com/v1alpha1', kind: 'Thing',
                   metadata: {name: 'bad'}, spec: {n: 1}, status: {state: 'failed'}}
                  """))
          .expect(201);
      cluster.startServer(GUARD);
      eventually(() -> assertThat(write(cluster, 1)).contains("known invalid"));

      define(api, false);

      eventually(() -> assertThat(figure(cluster, "version_gone")).isEqualTo(1));
      assertThat(write(cluster, 1)).contains("known invalid");
      assertThat(write(cluster, 2)).contains("\"allowed\":true");

      cluster.server().close();
      cluster.startServer(GUARD);

      eventually(() -> assertThat(write(cluster, 2)).contains("\"allowed\":true"));
      eventually(() -> assertThat(figure(cluster, "version_gone")).isEqualTo(1));
      assertThat(cluster.server().notReadyReason()).isEmpty();
      assertThat(write(cluster, 1)).as("it is remembered").contains("known invalid");
    }
  }

  /** As while API servers restart, before the CustomResourceDefinition is installed. */
  @Test
  void aDiscoveryThatFailsEndsNoWatch(
      ControlPlane controlPlane, UniqueNames names, @TempDir Path folder) throws Exception {
    try (var cluster = FaultyCluster.open(controlPlane, names.name("webhook"), folder)) {
      var faulty = cluster.faulty();
      faulty.always(request -> request.contains(THINGS), FaultyApi.refuse(404));
      faulty.always(request -> request.equals("GET /apis/" + GROUP), FaultyApi.refuse(500));

      cluster.startServer(GUARD);

      eventually(() -> assertThat(faulty.requests("GET " + THINGS)).hasSizeGreaterThan(1));
    }
  }

  private static double figure(FaultyCluster cluster, String name) throws Exception {
    return Metric.sum(cluster.server().managementPort(), "shipshape_webhook_index_" + name);
  }

  /** What the webhook answers to another object with this specification. */
  private static String write(FaultyCluster cluster, int number) throws Exception {
    var object =
        """
        {"apiVersion":"graduating.example.com/v1alpha1","kind":"Thing",
         "metadata":{"name":"worker-1"},"spec":{"n":%d}}
        """
            .formatted(number);
    HttpResponse<String> answer =
        cluster.post(
            Reviews.creation(object)
                .replace("network.schiff.telekom.de", GROUP)
                .replace("nodeconfigs", "things")
                .replace("NodeConfig", "Thing"));
    return answer.body();
  }

  private static void define(Api api, boolean first) throws Exception {
    api.applyYaml(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things." + GROUP,
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: things.graduating.example.com}
        spec:
          group: graduating.example.com
          scope: Cluster
          names: {kind: Thing, plural: things}
          versions:
          - name: v1alpha1
            served: %1$s
            storage: false
            schema: &any
              openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
          - {name: v1, served: true, storage: true, schema: *any}
        """
            .formatted(Boolean.toString(first).toLowerCase(Locale.ROOT)));
  }
}
