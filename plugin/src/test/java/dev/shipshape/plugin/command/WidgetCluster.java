package dev.shipshape.plugin.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.Eventually;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** A resource whose objects may hold anything, and the guard on it. */
final class WidgetCluster implements AutoCloseable {
  private static final int WRITERS = 8;

  private final ControlPlane cluster;
  private final String group;
  private final HttpClient http;

  private WidgetCluster(ControlPlane cluster, String group) {
    this.cluster = cluster;
    this.group = group;
    this.http = cluster.adminHttpClient();
  }

  /** Has the API server serve widgets of this group. */
  static WidgetCluster open(ControlPlane cluster, String group) throws Exception {
    var widgets = new WidgetCluster(cluster, group);
    var definition =
        """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "metadata": {"name": "widgets.%1$s"},
         "spec": {"group": "%1$s", "scope": "Cluster",
          "names": {"kind": "Widget", "plural": "widgets"},
          "versions": [{"name": "v1", "served": true, "storage": true,
           "schema": {"openAPIV3Schema":
            {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}
        """
            .formatted(group);
    var path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    assertThat(widgets.send("POST", path, definition).statusCode()).isEqualTo(201);
    Eventually.holds(
        "widgets are served", () -> widgets.send("GET", widgets.path(), "").statusCode() == 200);
    return widgets;
  }

  /** The guard, as the settings have it. */
  String guards() {
    return """
    guards:
    - name: widgets
      resource: {group: %s, version: v1, plural: widgets, kind: Widget}
      invalidWhen: {field: status.state, equals: invalid}
      identity: {content: spec, sorted: [{list: layer2, by: [id]}]}
    """
        .formatted(group);
  }

  /**
   * Stores one.
   *
   * @param members its members, beside its name
   */
  HttpResponse<String> store(String name, String members) throws Exception {
    var object =
        "{\"apiVersion\":\"%s/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"%s\"},%s}"
            .formatted(group, name, members);
    return send("POST", path(), object);
  }

  /** Stores many. */
  void storeAll(int count, IntFunction<String> members) throws Exception {
    createAll(count, at -> () -> store("widget-" + at, members.apply(at)).statusCode());
  }

  /**
   * Creates many objects, several at once.
   *
   * @param create returns the status of one creation
   */
  static void createAll(int count, IntFunction<Callable<Integer>> create) throws Exception {
    try (var writers = Executors.newFixedThreadPool(WRITERS)) {
      for (var status : writers.invokeAll(IntStream.range(0, count).mapToObj(create).toList())) {
        assertThat(status.get()).isEqualTo(201);
      }
    }
  }

  /** What the webhook says of a creation; the verdict's whole answer. */
  String judge(ShippedWebhook webhook, String members) throws Exception {
    return judge(webhook, "jane", members);
  }

  String judge(ShippedWebhook webhook, String user, String members) throws Exception {
    var review =
        """
        {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u",
         "resource":{"group":"%1$s","version":"v1","resource":"widgets"},
         "name":"new","operation":"CREATE","userInfo":{"username":"%3$s"},
         "object":{"apiVersion":"%1$s/v1","kind":"Widget","metadata":{"name":"new"},%2$s}}}
        """
            .formatted(group, members, user);
    return webhook.post("/validate", review.getBytes(UTF_8)).body();
  }

  private String path() {
    return "/apis/%s/v1/widgets".formatted(group);
  }

  HttpResponse<String> send(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(cluster.server() + path))
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  /** Takes the resource away, and all of its objects. */
  @Override
  public void close() {
    try {
      var path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets." + group;
      assertThat(send("DELETE", path, "").statusCode()).isEqualTo(200);
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      http.shutdownNow();
    }
  }
}
