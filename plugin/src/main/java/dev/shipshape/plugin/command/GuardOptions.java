package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.ReleaseSettings;
import dev.shipshape.plugin.review.GuardedKinds;
import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.OfflineWebhook;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
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

  /** The settings that a judgement needs. */
  record Rules(List<Guard> guards, Scope scope, String overrideRole) {
    Rules {
      guards = List.copyOf(guards);
    }

    GuardedKinds kinds() {
      return new GuardedKinds(guards);
    }

    OfflineWebhook webhook() {
      return new OfflineWebhook(guards, scope, overrideRole, InstantSource.system());
    }
  }

  /** Returns those of the file, else of the default presets. */
  Rules offline() throws BadSettings {
    return settings == null ? presets() : rules(WebhookSettings.read(settings));
  }

  /** Returns those of the file, else of the release in a namespace. */
  Rules of(KubernetesClient client, String namespace) throws BadSettings {
    return rules(
        settings == null
            ? ReleaseSettings.requireWebhook(client, namespace)
            : WebhookSettings.read(settings));
  }

  private static Rules rules(WebhookSettings settings) {
    return new Rules(
        settings.guards(),
        settings.scope(),
        settings.certificates().configurations() + "-override");
  }

  private static Rules presets() {
    return new Rules(GuardedKinds.ofPresets().guards(), Scope.CLUSTER, "shipshape-override");
  }
}
