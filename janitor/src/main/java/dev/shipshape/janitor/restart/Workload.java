package dev.shipshape.janitor.restart;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Locale;
import java.util.stream.Stream;

/** The object that runs an operator. */
public record Workload(Kind kind, String namespace, String name) {

  /** Those that kubectl restarts, too. */
  public enum Kind {
    DEPLOYMENT("Deployment"),
    STATEFULSET("StatefulSet"),
    DAEMONSET("DaemonSet");

    private final String written;

    Kind(String written) {
      this.written = written;
    }

    /**
     * The kind as the API writes it.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static Kind of(String text) {
      return Stream.of(values())
          .filter(kind -> kind.written.equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "\"%s\" cannot be restarted; must be one of Deployment, StatefulSet, DaemonSet"
                          .formatted(text)));
    }

    @Override
    public String toString() {
      return written;
    }
  }

  /** In the cluster. */
  public Resource<? extends HasMetadata> in(KubernetesClient client) {
    var apps = client.apps();
    return switch (kind) {
      case DEPLOYMENT -> apps.deployments().inNamespace(namespace).withName(name);
      case STATEFULSET -> apps.statefulSets().inNamespace(namespace).withName(name);
      case DAEMONSET -> apps.daemonSets().inNamespace(namespace).withName(name);
    };
  }

  /** As kubectl takes it after {@code rollout restart}. */
  public String resource() {
    return kind.written.toLowerCase(Locale.ROOT) + "/" + name;
  }

  /** How logs name it. */
  @Override
  public String toString() {
    return "%s %s/%s".formatted(kind.written.toLowerCase(Locale.ROOT), namespace, name);
  }
}
