package dev.shipshape.janitor.restart;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Locale;
import java.util.stream.Stream;

/** The object that runs an operator. */
public record Workload(Kind kind, String namespace, String name) {

  /** The kinds that kubectl can restart. */
  public enum Kind {
    DEPLOYMENT("Deployment"),
    STATEFULSET("StatefulSet"),
    DAEMONSET("DaemonSet");

    private final String apiName;

    Kind(String apiName) {
      this.apiName = apiName;
    }

    /**
     * Parses a kind as the API writes it.
     *
     * @throws IllegalArgumentException if it is not one of these
     */
    public static Kind of(String text) {
      return Stream.of(values())
          .filter(kind -> kind.apiName.equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "\"%s\" cannot be restarted; must be one of Deployment, StatefulSet, DaemonSet"
                          .formatted(text)));
    }

    @Override
    public String toString() {
      return apiName;
    }
  }

  /** The resource in the cluster. */
  public Resource<? extends HasMetadata> in(KubernetesClient client) {
    var apps = client.apps();
    return switch (kind) {
      case DEPLOYMENT -> apps.deployments().inNamespace(namespace).withName(name);
      case STATEFULSET -> apps.statefulSets().inNamespace(namespace).withName(name);
      case DAEMONSET -> apps.daemonSets().inNamespace(namespace).withName(name);
    };
  }

  /** The argument of {@code kubectl rollout restart}: {@code deployment/name}. */
  public String resource() {
    return kind.apiName.toLowerCase(Locale.ROOT) + "/" + name;
  }

  /** The name in logs: {@code deployment namespace/name}. */
  @Override
  public String toString() {
    return "%s %s/%s".formatted(kind.apiName.toLowerCase(Locale.ROOT), namespace, name);
  }
}
