package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Plain requests to a control plane, as one user. */
record Requests(ControlPlane cluster, HttpClient client) implements AutoCloseable {

  static Requests asAdmin(ControlPlane cluster) {
    return new Requests(cluster, cluster.adminHttpClient());
  }

  HttpResponse<String> get(String path) throws Exception {
    return client.send(to(path).build(), BodyHandlers.ofString());
  }

  /** Posts YAML, of which JSON is a part. */
  HttpResponse<String> post(String path, String yaml) throws Exception {
    var request =
        to(path)
            .header("Content-Type", "application/yaml")
            .header("Accept", "application/json")
            .POST(BodyPublishers.ofString(yaml))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  HttpResponse<String> create(String path, String yaml) throws Exception {
    var answer = post(path, yaml);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return answer;
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(cluster.server().resolve(path));
  }

  @Override
  public void close() {
    client.close();
  }
}
