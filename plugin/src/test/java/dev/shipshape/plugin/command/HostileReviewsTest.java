package dev.shipshape.plugin.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Definitions;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.service.ApiConnection;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Reviews that somebody who may write, and wishes ill, can make the API server send. */
@ExtendWith(ControlPlaneExtension.class)
@Timeout(240)
class HostileReviewsTest {
  private static final List<String> PATHS = List.of("/validate", "/mutate");
  private static final int AT_ONCE = 24;

  /** An eighth less than the chart's, so that what is proven does not hang on a few megabytes. */
  private static final String MEMORY = "-XX:MaxRAM=224m";

  /** What takes most memory for its bytes. */
  private static final Set<String> COSTLY =
      Set.of(
          "a million empty objects",
          "170,000 empty objects",
          "two million numbers",
          "200,000 member names");

  private static ShippedWebhook webhook;

  @BeforeAll
  static void start(ControlPlane cluster, @TempDir Path folder) throws Exception {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      client.resource(Definitions.nodeConfigs()).forceConflicts().serverSideApply();
    }
    webhook =
        ShippedWebhook.start(
            folder, cluster.kubeconfig(), "guards: [{preset: nodeconfig}]\n", MEMORY);
    webhook.awaitReady();
  }

  @AfterAll
  static void stop() {
    webhook.close();
  }

  @Promise(
      value = "Requests to the management port that never end do not end the webhook.",
      breaks = "The JDK's default for the size of heads.")
  @Test
  void headsThatNeverEndDoNotFillTheHeap() throws Exception {
    var endless = ("GET /healthz HTTP/1.1\r\nX: " + "x".repeat(300_000)).getBytes(UTF_8);
    var open = new ArrayList<Socket>();
    try {
      for (var at = 0; at < 250; at++) {
        var socket = new Socket("127.0.0.1", webhook.managementPort());
        socket.setSoTimeout(60_000);
        open.add(socket);
        try {
          socket.getOutputStream().write(endless);
        } catch (SocketException e) {
          // It has been closed, as it should.
        }
      }
      for (var socket : open) {
        assertClosed(socket);
      }
    } finally {
      for (var socket : open) {
        socket.close();
      }
    }

    webhook.awaitReady();
  }

  private static void assertClosed(Socket socket) throws IOException {
    try {
      assertThat(socket.getInputStream().readAllBytes()).asString(UTF_8).doesNotContain("200 OK");
    } catch (SocketException e) {
      // It was closed before all was read.
    }
  }

  /** Each on both paths, and of the costly ones so many at once. */
  @Promise(
      value =
          "With the chart's memory, many hostile reviews at once neither end a replica nor change a"
              + " decision.",
      breaks = "Checking a limit after parsing.")
  @Test
  void eachIsAnsweredManyAtOnceTooAndTheNextOneIsJudgedRightly() throws Exception {
    try (var callers = Executors.newFixedThreadPool(AT_ONCE)) {
      for (var hostile : HostileObjects.ofReviews().entrySet()) {
        var review = review(hostile.getValue());
        var calls = new ArrayList<Future<?>>();
        var count = COSTLY.contains(hostile.getKey()) ? AT_ONCE : PATHS.size();
        for (var at = 0; at < count; at++) {
          var path = PATHS.get(at % PATHS.size());
          calls.add(
              callers.submit(
                  () -> {
                    assertAnswered(path, hostile.getKey(), review);
                    return null;
                  }));
        }
        for (var call : calls) {
          call.get();
        }
        assertJudgesRightly();
      }
    }
  }

  private static void assertAnswered(String path, String what, byte[] review) throws Exception {
    try {
      var answer = webhook.post(path, review);
      assertThat(answer.statusCode()).as(what + " " + path).isIn(200, 400, 413, 503);
      if (answer.statusCode() == 503) {
        assertThat(answer.headers().firstValue("Retry-After")).as(what).contains("1");
      }
    } catch (IOException e) {
      throw new AssertionError(what + " " + path + ": " + e + "\n" + webhook.log(), e);
    }
    webhook.assertLives();
  }

  /** The guard's own probe is denied, another configuration is not, and both are hashed. */
  private static void assertJudgesRightly() throws Exception {
    var good = review("\"spec\":{\"layer2\":[{\"id\":5}]}");
    var known =
        review(
            """
            "spec": {"layer2": [{"id": 4094, "mtu": 1000, "vni": 16777215, "vrf": "ship-probe"}],
              "vrf": [{"vrf": "ship-probe", "seq": 65534, "import": [],
                       "export": [{"cidr": "192.0.2.0/24", "action": "deny"}]}],
              "routingTable": []}
            """);
    assertThat(webhook.post("/validate", good).body()).contains("\"allowed\":true");
    assertThat(webhook.post("/validate", known).body()).contains("\"allowed\":false");
    assertThat(webhook.post("/mutate", good).body()).contains("\"patch\":");
  }

  /**
   * @param members the object's, beside its name where they bring no metadata
   */
  private static byte[] review(String members) {
    var metadata = members.startsWith("\"metadata\"") ? "" : "\"metadata\":{\"name\":\"w-1\"},";
    return """
    {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u",
     "resource":{"group":"network.schiff.telekom.de","version":"v1alpha1","resource":"nodeconfigs"},
     "name":"w-1","operation":"CREATE","userInfo":{"username":"mallory"},
     "object":{"apiVersion":"network.schiff.telekom.de/v1alpha1","kind":"NodeConfig",%s%s},
     "oldObject":null}}
    """
        .formatted(metadata, members)
        .getBytes(UTF_8);
  }
}
