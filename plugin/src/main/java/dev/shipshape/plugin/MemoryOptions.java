package dev.shipshape.plugin;

import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.memory.MemoryDesk;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /**
   * Does something at the desk of that memory.
   *
   * @param err where it is said that there is no such memory, and where there is one
   * @return empty where there is none
   */
  <T> Optional<T> at(PrintWriter err, Function<MemoryDesk, T> action) {
    try (var client = cluster.connect()) {
      var place = place(System.getenv(), client.getNamespace());
      try {
        // First, as it also looks at what was said.
        var came = action.apply(new MemoryDesk(client, place));
        if (client.configMaps().inNamespace(place).withName(MemoryDesk.CONFIG_MAP).get() == null) {
          err.println(
              "shipshape: nothing is remembered in namespace %s (there is no ConfigMap %s)%s"
                  .formatted(place, MemoryDesk.CONFIG_MAP, elsewhere(client)));
          return Optional.empty();
        }
        return Optional.of(came);
      } catch (KubernetesClientException e) {
        throw new StartFailure(
            "could not use ConfigMap %s in namespace %s, which takes the rights to get and update it: %s"
                .formatted(
                    MemoryDesk.CONFIG_MAP,
                    place,
                    String.valueOf(e.getMessage()).lines().findFirst().orElse("")),
            e);
      }
    }
  }

  /** A command of ours about the same memory. */
  String command(String command) {
    var arguments = new ArrayList<>(List.of(command));
    var said = namespace != null ? Optional.of(namespace) : NamespaceOption.helms(System.getenv());
    said.ifPresent(place -> arguments.addAll(List.of("-n", place)));
    arguments.addAll(cluster.flags());
    return Program.command(arguments);
  }

  /** Nothing where that may not be listed. */
  private static String elsewhere(KubernetesClient client) {
    try {
      var namespaces =
          client
              .configMaps()
              .inAnyNamespace()
              .withField("metadata.name", MemoryDesk.CONFIG_MAP)
              .list()
              .getItems()
              .stream()
              .map(each -> each.getMetadata().getNamespace())
              .toList();
      return namespaces.isEmpty() ? "" : "; it is in: " + String.join(", ", namespaces);
    } catch (KubernetesClientException e) {
      return "";
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
