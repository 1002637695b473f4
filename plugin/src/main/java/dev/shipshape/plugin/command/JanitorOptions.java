package dev.shipshape.plugin.command;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.plugin.release.ReleaseSettings;
import dev.shipshape.service.BadSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Selects the janitor's settings: a file's, else the release's. */
final class JanitorOptions {
  @Mixin private final NamespaceOption namespace = new NamespaceOption();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = "The janitor's settings file. Default: the settings of the release.")
  private @Nullable Path settings;

  JanitorSettings settings(KubernetesClient client) throws BadSettings {
    return settings == null
        ? ReleaseSettings.requireJanitor(client, namespace.value())
        : JanitorSettings.read(settings);
  }

  /** If no session was found: a list of a namespace that does not exist is empty, too. */
  static void requireNamespace(KubernetesClient client, String namespace) throws BadSettings {
    try {
      if (client.namespaces().withName(namespace).get() == null) {
        throw new BadSettings(
            List.of("sessions.namespace: there is no namespace %s".formatted(namespace)));
      }
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
    }
  }
}
