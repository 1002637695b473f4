package dev.shipshape.webhook.timeout;

import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.WebhookSettings;
import dev.shipshape.webhook.guard.Guard;

/** The presets' guards of the objects of single nodes. */
final class NodeGuards {
  private NodeGuards() {}

  static Guard of(String preset) throws BadSettings {
    var settings =
        WebhookSettings.parse(
            "webhook.yaml",
            """
            apiVersion: shipshape.dev/v1
            memory: {enabled: true}
            guards: [{preset: %s, guardNodes: true}]
            """
                .formatted(preset));
    return settings.guards().stream().filter(Guard::perNode).findFirst().orElseThrow();
  }
}
