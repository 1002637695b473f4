package dev.shipshape.plugin.command;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.plugin.release.ReleaseSettings;
import dev.shipshape.service.BadSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The janitor's settings that a command uses: the release's, or those in a file. */
final class JanitorOptions {
  @Mixin private final NamespaceOption namespace = new NamespaceOption();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = "The janitor's settings file. Default: the settings of the release.")
  private @Nullable Path settings;

  /** Reads the file, or the release's settings. */
  JanitorSettings settings(KubernetesClient client) throws BadSettings {
    return settings == null
        ? ReleaseSettings.requireJanitor(client, namespace.value())
        : JanitorSettings.read(settings);
  }
}
