package dev.shipshape.webhook.identity;

import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.GuardReader;

/** The guards of all presets. */
final class PresetGuards {
  private PresetGuards() {}

  static Guard named(String name) {
    return GuardReader.PRESETS.stream()
        .flatMap(preset -> GuardReader.preset(preset).stream())
        .filter(guard -> guard.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
