package dev.shipshape.webhook;

import dev.shipshape.service.Section;
import dev.shipshape.webhook.memory.MemoryLimits;
import org.jspecify.annotations.Nullable;

/**
 * Whether and how what was learned is kept.
 *
 * @param namespace of the ConfigMap and of the Lease; null for the pod's own
 */
public record MemorySettings(boolean enabled, @Nullable String namespace, MemoryLimits limits) {
  static MemorySettings from(Section section) {
    return new MemorySettings(
        section.flag("enabled", false),
        section.text("namespace").orElse(null),
        MemoryLimits.from(section));
  }
}
