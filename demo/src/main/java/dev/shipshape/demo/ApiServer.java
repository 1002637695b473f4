package dev.shipshape.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.plugin.release.YamlDocuments;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The administrator at the API server: the JDK's HTTP client and nothing of ours, so that what the
 * demo shows is what the API server says, in the words that kubectl would print.
 */
final class ApiServer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What one document came to. */
  record Outcome(int status, JsonNode body, String shown) {
    boolean accepted() {
      return status < 300;
    }

    /** An annotation of the object that came back; empty where there is none. */
    String annotation(String key) {
      return body.path("metadata").path("annotations").path(key).asText("");
    }
  }

  private record Resource(String plural, boolean namespaced) {}

  private final URI server;
  private final HttpClient http;
  private final Map<String, Resource> discovered = new ConcurrentHashMap<>();

  /**
   * Uses a client that trusts the server and presents the administrator.
   *
   * @param server the API server's address
   */
  ApiServer(URI server, HttpClient http) {
    this.server = server;
    this.http = http;
  }

  /** Whether resources of this group and version can be used yet. */
  boolean serves(String groupVersion) {
    return send(request("/apis/" + groupVersion).GET()).statusCode() == 200;
  }

  /** {@code kubectl apply --server-side}: every document of a file, in its order. */
  List<Outcome> apply(String file, String yaml) {
    var outcomes = new ArrayList<Outcome>();
    for (var object : YamlDocuments.read(yaml)) {
      var path = path(object) + "/" + object.at("/metadata/name").asText();
      var answer =
          send(
              request(path + "?fieldManager=kubectl&force=true")
                  .header("Content-Type", "application/apply-patch+yaml")
                  .method("PATCH", HttpRequest.BodyPublishers.ofString(object.toString())));
      outcomes.add(new Outcome(answer.statusCode(), read(answer), said(file, object, answer)));
    }
    return outcomes;
  }

  /** What a component reports of an object, for one that does not run here. */
  void applyStatus(String path, String yaml) {
    var answer =
        send(
            request(path + "/status?fieldManager=demo&force=true")
                .header("Content-Type", "application/apply-patch+yaml")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(yaml)));
    if (answer.statusCode() >= 300) {
      throw new IllegalStateException("could not report on " + path + ": " + answer.body());
    }
  }

  /** Creates one object. */
  Outcome create(ObjectNode object) {
    var answer =
        send(
            request(path(object))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(object.toString())));
    return new Outcome(answer.statusCode(), read(answer), answer.body());
  }

  /**
   * Reads one path.
   *
   * @throws IllegalStateException where the API server refuses
   */
  JsonNode get(String path) {
    var answer = send(request(path).GET());
    if (answer.statusCode() >= 300) {
      throw new IllegalStateException("could not read " + path + ": " + answer.body());
    }
    return read(answer);
  }

  private String path(ObjectNode object) {
    var apiVersion = object.path("apiVersion").asText();
    var root = apiVersion.equals("v1") ? "/api/v1" : "/apis/" + apiVersion;
    var kind = object.path("kind").asText();
    var resource = discovered.computeIfAbsent(root + " " + kind, key -> discover(root, kind));
    var namespace = object.at("/metadata/namespace").asText();
    return root
        + (resource.namespaced() ? "/namespaces/" + namespace : "")
        + "/"
        + resource.plural();
  }

  private Resource discover(String root, String kind) {
    for (var resource : get(root).path("resources")) {
      var name = resource.path("name").asText();
      if (resource.path("kind").asText().equals(kind) && !name.contains("/")) {
        return new Resource(name, resource.path("namespaced").asBoolean());
      }
    }
    throw new IllegalStateException("the API server serves no %s in %s".formatted(kind, root));
  }

  private static String said(String file, ObjectNode object, HttpResponse<String> answer) {
    if (answer.statusCode() < 300) {
      return "%s/%s serverside-applied"
          .formatted(
              object.path("kind").asText().toLowerCase(Locale.ROOT),
              object.at("/metadata/name").asText());
    }
    var status = read(answer);
    return "Error from server (%s): error when patching \"%s\": %s"
        .formatted(status.path("reason").asText(), file, status.path("message").asText());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.resolve(path)).timeout(PATIENCE);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    var built = request.build();
    try {
      return http.send(built, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException("could not ask the API server: " + built.uri(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while asking " + built.uri(), e);
    }
  }

  private static JsonNode read(HttpResponse<String> answer) {
    try {
      return JSON.readTree(answer.body());
    } catch (IOException e) {
      throw new IllegalStateException("the API server answered no JSON: " + answer.body(), e);
    }
  }
}
