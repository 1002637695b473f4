package dev.shipshape.janitor.restart;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.shipshape.certs.Authority;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.janitor.TestCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/**
 * Serves container logs to a real API server as a kubelet does: {@code
 * /containerLogs/NAMESPACE/POD/CONTAINER} with {@code timestamps}, {@code sinceTime} and {@code
 * previous}.
 */
public final class StandInKubelet implements AutoCloseable {
  private record Line(Instant time, String text) {
    String stamped() {
      return time + " " + text + "\n";
    }
  }

  private final HttpsServer server;
  private final Map<String, List<Line>> logs = new ConcurrentHashMap<>();
  private final Map<String, String> notices = new ConcurrentHashMap<>();
  private final Set<String> stalled = ConcurrentHashMap.newKeySet();
  private final Set<String> hanging = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  final List<String> queries = new CopyOnWriteArrayList<>();

  private StandInKubelet(HttpsServer server) {
    this.server = server;
  }

  public static StandInKubelet start() throws IOException {
    var day = Duration.ofDays(1);
    var authority = Authority.create("kubelet", day, InstantSource.system());
    var pair = authority.issueServer("kubelet", List.of("127.0.0.1"), day);
    var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(ClientContext.of(authority.certificate(), pair)));
    var kubelet = new StandInKubelet(server);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/containerLogs/", kubelet::answer);
    server.start();
    return kubelet;
  }

  /** Makes the node that this is the kubelet of. */
  public void register(TestCluster cluster, String node) {
    cluster.create(
        "/api/v1/nodes",
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"}}
        """
            .formatted(node));
    cluster.patch(
        "/api/v1/nodes/" + node + "/status",
        """
        {"status": {"addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
          "daemonEndpoints": {"kubeletEndpoint": {"Port": %d}}}}
        """
            .formatted(server.getAddress().getPort()));
  }

  /** Logs text at a time, each of its lines. */
  public void log(String pod, String container, boolean previous, Instant time, String text) {
    var lines =
        logs.computeIfAbsent(key(pod, container, previous), _ -> new CopyOnWriteArrayList<>());
    // At once: each addition copies all lines before.
    lines.addAll(text.lines().map(line -> new Line(time, line)).toList());
  }

  /** As after a rotation: only what is logged from now on is there. */
  void rotate(String pod, String container) {
    logs.put(key(pod, container, false), new CopyOnWriteArrayList<>());
  }

  /** As after a crash: what was logged is the previous instance's. */
  void restart(String pod, String container) {
    var lines = logs.put(key(pod, container, false), new CopyOnWriteArrayList<>());
    logs.put(key(pod, container, true), lines == null ? List.of() : lines);
  }

  /** Ends each answer with a line of the kubelet's own, which has no time. */
  public void notice(String pod, String container, String text) {
    notices.put(key(pod, container, false), text);
  }

  /** Gives the log and then neither more nor an end. */
  void stall(String pod, String container) {
    stalled.add(key(pod, container, false));
  }

  /** Gives no answer at all. */
  void hang(String pod, String container) {
    hanging.add(key(pod, container, false));
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath().split("/", -1);
    var raw = String.valueOf(exchange.getRequestURI().getRawQuery());
    queries.add(raw);
    var query = new HashMap<String, String>();
    for (var parameter : raw.split("&", -1)) {
      var parts = parameter.split("=", 2);
      query.put(parts[0], URLDecoder.decode(parts[parts.length - 1], StandardCharsets.UTF_8));
    }
    var lines = logs.get(key(path[3], path[4], "true".equals(query.get("previous"))));
    if (lines == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    try (var body = exchange.getResponseBody()) {
      if (hanging.contains(key(path[3], path[4], false))) {
        closed.await();
      }
      exchange.sendResponseHeaders(200, 0);
      for (var line : chosen(lines, query)) {
        body.write(line.stamped().getBytes(StandardCharsets.UTF_8));
      }
      var key = key(path[3], path[4], false);
      body.write(notices.getOrDefault(key, "").getBytes(StandardCharsets.UTF_8));
      if (stalled.contains(key)) {
        body.flush();
        closed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<Line> chosen(List<Line> lines, Map<String, String> query) {
    var since = Instant.parse(query.getOrDefault("sinceTime", "1970-01-01T00:00:00Z"));
    var chosen = lines.stream().filter(line -> !line.time().isBefore(since)).toList();
    var tail = Integer.parseInt(query.getOrDefault("tailLines", "2147483647"));
    return chosen.subList(Math.max(0, chosen.size() - tail), chosen.size());
  }

  private static String key(String pod, String container, boolean previous) {
    return pod + "/" + container + "/" + previous;
  }
}
