package dev.shipshape.plugin;

import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.memory.MemoryDesk;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which webhook's memory a command is about. */
final class MemoryOptions {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description =
          "The namespace that the webhook runs in. Default: Helm's, else the kubeconfig's.")
  private @Nullable String namespace;

  /** Does something at the desk of that memory. */
  <T> T at(Function<MemoryDesk, T> action) {
    try (var client = cluster.connect()) {
      var place = place(System.getenv(), client.getNamespace());
      try {
        return action.apply(new MemoryDesk(client, place));
      } catch (KubernetesClientException e) {
        throw new StartFailure(
            "could not use ConfigMap shipshape-known-invalid in namespace %s, which takes the rights to get and update it: %s"
                .formatted(place, String.valueOf(e.getMessage()).lines().findFirst().orElse("")),
            e);
      }
    }
  }

  /**
   * @param own the kubeconfig's; null where it says nothing
   */
  String place(Map<String, String> environment, @Nullable String own) {
    return namespace != null
        ? namespace
        : NamespaceOption.helms(environment).orElse(own != null ? own : "default");
  }
}
