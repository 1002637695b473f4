package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Kubeconfig;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.Interceptor.RequestTags;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class LeadershipTest {
  private static final Duration LIFE = Duration.ofMillis(4_500);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Shorter than a request may take, and long beside the time between two renewals. */
  private static final long SLOW_MILLIS = 1_100;

  @TempDir private Path folder = Path.of("");

  /** At its worst: the last renewal took long, and the Lease counts from when it was begun. */
  @Test
  void whoGetsNoAnswersLeadsNoLongerWhenTheNextOneBegins(ControlPlane cluster, UniqueNames names)
      throws Exception {
    var namespace = names.namespace("leadership");
    try (var faulty = FaultyApi.start(cluster);
        var unlucky = ApiConnection.open(kubeconfig(faulty), null);
        var lucky = ApiConnection.open(cluster.kubeconfig(), null);
        var first = new Leadership(unlucky, namespace, "test", LIFE);
        var second = new Leadership(lucky, namespace, "test", LIFE)) {
      first.start();
      assertThat(leads(first, TIMEOUT)).isTrue();
      second.start();

      var slow = new CountDownLatch(1);
      var renewals = new AtomicInteger();
      faulty.once(
          request -> request.startsWith("GET ") && request.contains("/leases/"),
          exchange -> {
            renewals.set(renewals(faulty));
            openLater(slow);
            faulty.heldUntil(slow).respond(exchange);
          });
      slow.await();
      while (renewals(faulty) == renewals.get()) {
        Thread.onSpinWait();
      }
      faulty.always(request -> request.contains("/leases/"), faulty.ignore());

      assertThat(first.isLeader()).as("for the time being").isTrue();
      assertThat(leads(second, TIMEOUT)).isTrue();
      assertThat(first.isLeader()).isFalse();
      faulty.heal();
    }
  }

  @Test
  void aLeaseThatCannotBeReadIsTriedAgain(ControlPlane cluster, UniqueNames names)
      throws Exception {
    var namespace = names.namespace("leadership");
    try (var log = new CapturedLog();
        var client = ApiConnection.open(cluster.kubeconfig(), null);
        var leadership = new Leadership(client, namespace, "test", LIFE)) {
      var leases = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(namespace);
      client.raw(
          leases,
          "POST",
          """
          {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
           "metadata": {"name": "test"}, "spec": {}}
          """);
      leadership.start();
      assertThat(leads(leadership, LIFE.dividedBy(3))).isFalse();
      assertThat(log.lines("lease " + namespace)).as("what status names").isNotEmpty();

      client.raw(leases + "/test", "DELETE", null);
      assertThat(leads(leadership, TIMEOUT)).isTrue();
      assertThat(leadership.since()).isPresent();
    }
  }

  /** As at each upgrade of a control plane: no error, no stack trace. */
  @Test
  void aLeaseThatCannotBeReleasedIsALineThatNamesTheCause(ControlPlane cluster, UniqueNames names)
      throws Exception {
    try (var log = new CapturedLog();
        var faulty = FaultyApi.start(cluster);
        var client = ApiConnection.open(kubeconfig(faulty), null)) {
      var leadership = new Leadership(client, names.namespace("leadership"), "test", LIFE);
      leadership.start();
      assertThat(leads(leadership, TIMEOUT)).isTrue();
      faulty.always(request -> request.contains("/leases/"), FaultyApi.hangUp());
      leadership.close();

      assertThat(log.lines("WARN Leadership"))
          .isNotEmpty()
          .allMatch(line -> line.contains("Lease test"))
          .allMatch(line -> line.contains(": no answer from the API server: java."));
      assertThat(log.lines("ERROR")).isEmpty();
      assertThat(log.lines("\tat ")).isEmpty();
    }
  }

  @Test
  void whoHasNoMemoryForARequestTriesAgain(ControlPlane cluster, UniqueNames names)
      throws Exception {
    var isFirst = new AtomicBoolean(true);
    var forgetful =
        new Interceptor() {
          @Override
          public void before(BasicBuilder request, HttpRequest http, RequestTags tags) {
            if (isFirst.getAndSet(false)) {
              throw new OutOfMemoryError("as a test wants it");
            }
          }
        };
    try (var api = FaultyApi.start(cluster);
        var client =
            new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(Files.readString(kubeconfig(api))))
                .withHttpClientBuilderConsumer(
                    http -> http.addOrReplaceInterceptor("test", forgetful))
                .build();
        var leadership = new Leadership(client, names.namespace("leadership"), "test", LIFE)) {
      leadership.start();
      assertThat(leads(leadership, TIMEOUT)).isTrue();
      assertThat(isFirst).isFalse();
    }
  }

  @Test
  void whoseClockWasAheadKeepsTheLeaseNoLongerThanOthers(ControlPlane cluster, UniqueNames names)
      throws Exception {
    var namespace = names.namespace("leadership");
    try (var client = ApiConnection.open(cluster.kubeconfig(), null);
        var leadership = new Leadership(client, namespace, "test", LIFE)) {
      client.raw(
          "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(namespace),
          "POST",
          """
          {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "test"},
           "spec": {"holderIdentity": "gone", "leaseDurationSeconds": 4, "leaseTransitions": 0,
             "acquireTime": "2099-01-01T00:00:00.000000Z",
             "renewTime": "2099-01-01T00:00:00.000000Z"}}
          """);
      leadership.start();

      assertThat(leads(leadership, TIMEOUT)).isTrue();
    }
  }

  private static boolean leads(Leadership replica, Duration within) throws InterruptedException {
    var end = System.nanoTime() + within.toNanos();
    var never = new CountDownLatch(1);
    while (!replica.isLeader() && System.nanoTime() < end) {
      assertThat(never.await(20, TimeUnit.MILLISECONDS)).isFalse();
    }
    return replica.isLeader();
  }

  private static int renewals(FaultyApi faulty) {
    return faulty.requests("PATCH ").size();
  }

  private static void openLater(CountDownLatch latch) {
    CompletableFuture.delayedExecutor(SLOW_MILLIS, TimeUnit.MILLISECONDS).execute(latch::countDown);
  }

  private Path kubeconfig(FaultyApi faulty) throws Exception {
    var text = Kubeconfig.anonymous(faulty.address().toString());
    return Files.writeString(folder.resolve("kubeconfig"), text);
  }
}
