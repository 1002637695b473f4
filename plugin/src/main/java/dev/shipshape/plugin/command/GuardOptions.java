package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.ReleaseSettings;
import dev.shipshape.plugin.review.GuardedKinds;
import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Selects the guards by which a command judges. */
final class GuardOptions {
  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description =
          "The webhook's settings file, with its guards. Default: the release's settings if a"
              + " cluster is asked, else all presets but t-caas-intent.")
  private @Nullable Path settings;

  /** Returns those of the file, else of the default presets. */
  GuardedKinds offline() throws BadSettings {
    return settings == null
        ? GuardedKinds.ofPresets()
        : GuardedKinds.of(WebhookSettings.read(settings));
  }

  /** Returns those of the file, else of the release in a namespace. */
  GuardedKinds of(KubernetesClient client, String namespace) throws BadSettings {
    return GuardedKinds.of(
        settings == null
            ? ReleaseSettings.requireWebhook(client, namespace)
            : WebhookSettings.read(settings));
  }
}
