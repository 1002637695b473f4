package dev.shipshape.janitor.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Events ({@code events.k8s.io/v1}) about the operator's Deployment, where people look for them.
 */
public final class Events {
  /** What the API server takes. */
  private static final int LONGEST_NOTE = 1_024;

  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** How the API server sorts events. */
  public enum Type {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String written;

    Type(String written) {
      this.written = written;
    }
  }

  private final KubernetesApi api;
  private final String namespace;
  private final String deployment;
  private final String instance;
  private final InstantSource clock;

  /**
   * @param deployment what the events are about
   * @param instance which replica tells
   */
  public Events(
      KubernetesApi api,
      String namespace,
      String deployment,
      String instance,
      InstantSource clock) {
    this.api = api;
    this.namespace = namespace;
    this.deployment = deployment;
    this.instance = instance;
    this.clock = clock;
  }

  /**
   * Writes one.
   *
   * @param reason one word in CamelCase
   * @param action what was done or tried, one word
   * @param note for people; cut to what the API server takes
   * @throws ApiFailure where the API server does not take it
   */
  public void tell(Type type, String reason, String action, String note) {
    var event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "events.k8s.io/v1").put("kind", "Event");
    event.putObject("metadata").put("generateName", deployment + "-");
    event.put("eventTime", MICROSECONDS.format(clock.instant()));
    event.put("reportingController", "shipshape.dev/janitor").put("reportingInstance", instance);
    event.put("type", type.written).put("reason", reason).put("action", action);
    event.put("note", note.substring(0, Math.min(note.length(), LONGEST_NOTE)));
    event
        .putObject("regarding")
        .put("apiVersion", "apps/v1")
        .put("kind", "Deployment")
        .put("namespace", namespace)
        .put("name", deployment)
        .put("uid", uid());
    var path = "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";
    api.post(path, event).requireSuccess("POST " + path);
  }

  /** By which {@code kubectl describe} finds the events of an object; empty where there is none. */
  private String uid() {
    var path = "/apis/apps/v1/namespaces/" + namespace + "/deployments/" + deployment;
    return api.find(path).map(found -> found.at("/metadata/uid").asText()).orElse("");
  }
}
