package dev.shipshape.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Definitions;
import dev.shipshape.sandbox.Programs;
import dev.shipshape.sandbox.Progress;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A real control plane, spoken to over plain HTTP as an administrator. */
final class Cluster implements AutoCloseable {
  static final String NODE_CONFIGS = "/apis/network.schiff.telekom.de/v1alpha1/nodeconfigs";

  private static final String DEFINITION =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/nodeconfigs.network.schiff.telekom.de";
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int WRITERS = 8;

  private final ControlPlane controlPlane;
  private final HttpClient http;
  private final Path kubeconfig;

  private Cluster(ControlPlane controlPlane, HttpClient http, Path kubeconfig) {
    this.controlPlane = controlPlane;
    this.http = http;
    this.kubeconfig = kubeconfig;
  }

  /** What the API server answered. */
  record Reply(int status, JsonNode body) {
    Reply expect(int expected) throws IOException {
      if (status != expected) {
        throw new IOException("the API server answered %d: %s".formatted(status, body));
      }
      return this;
    }
  }

  /** Starts one that knows NodeConfigs. */
  static Cluster start(Progress progress, Path folder) throws IOException, InterruptedException {
    var programs = Programs.find(System.getenv(), progress);
    var controlPlane = ControlPlane.start(programs, progress);
    var kubeconfig = Files.createDirectories(folder).resolve("kubeconfig");
    Files.writeString(kubeconfig, controlPlane.adminKubeconfig());
    var cluster = new Cluster(controlPlane, controlPlane.adminHttpClient(), kubeconfig);
    try {
      cluster.send(
          "PATCH", DEFINITION + "?fieldManager=bench&force=true", Definitions.nodeConfigs());
      var deadline = System.nanoTime() + PATIENCE.toNanos();
      while (cluster.send("GET", NODE_CONFIGS, "").status() != 200) {
        if (System.nanoTime() > deadline) {
          throw new IOException("NodeConfigs are not served");
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  /**
   * Creates configurations that their own status calls invalid.
   *
   * @param networks how many each of them has
   * @param first the first one's variant
   * @param last the last one's variant
   */
  void learn(int networks, int first, int last) throws IOException, InterruptedException {
    try (var writers = Executors.newFixedThreadPool(WRITERS)) {
      var written = new ArrayList<Future<Reply>>();
      for (var number = first; number <= last; number++) {
        var variant = number;
        Callable<Reply> write =
            () -> createInvalid("known-" + variant, Reviews.spec(networks, variant));
        written.add(writers.submit(write));
      }
      for (var one : written) {
        one.get().expect(200);
      }
    } catch (ExecutionException e) {
      throw new IOException("could not create the configurations that are known invalid", e);
    }
  }

  /** Creates a configuration that its own status calls invalid. */
  Reply createInvalid(String name, Map<String, Object> spec)
      throws IOException, InterruptedException {
    send("POST", NODE_CONFIGS, Reviews.json(Reviews.nodeConfig(name, spec))).expect(201);
    return markInvalid(name);
  }

  /** Writes the status that calls a configuration invalid. */
  Reply markInvalid(String name) throws IOException, InterruptedException {
    var status = Map.of("status", Map.of("configStatus", "invalid"));
    return send("PATCH", "%s/%s/status".formatted(NODE_CONFIGS, name), Reviews.json(status));
  }

  /** Processor time that its API server has used, in seconds. */
  double processorSeconds() throws IOException {
    var server =
        ProcessHandle.current()
            .descendants()
            .filter(process -> process.info().command().orElse("").endsWith("/kube-apiserver"))
            .findFirst()
            .orElseThrow();
    return Server.processorSeconds(server);
  }

  /** Sends a request; a patch is a merge patch, or to be applied where a manager is named. */
  Reply send(String method, String path, String body) throws IOException, InterruptedException {
    var answer = http.send(request(method, path, body), BodyHandlers.ofString());
    var text = answer.body();
    return new Reply(
        answer.statusCode(), text.startsWith("{") ? MAPPER.readTree(text) : MAPPER.nullNode());
  }

  /** Reads something that is no JSON. */
  String text(String path) throws IOException, InterruptedException {
    return http.send(request("GET", path, ""), BodyHandlers.ofString()).body();
  }

  private HttpRequest request(String method, String path, String body) {
    var type =
        !method.equals("PATCH")
            ? "application/json"
            : path.contains("fieldManager")
                ? "application/apply-patch+yaml"
                : "application/merge-patch+json";
    return HttpRequest.newBuilder(controlPlane.server().resolve(path))
        .header("Content-Type", type)
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
        .build();
  }

  @Override
  public void close() {
    http.close();
    controlPlane.close();
  }
}
