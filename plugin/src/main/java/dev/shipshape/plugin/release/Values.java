package dev.shipshape.plugin.release;

import java.util.List;

/**
 * Values for the chart; flags win over defaults.
 *
 * @param defaults as YAML; may be empty
 * @param flags for Helm, such as {@code --set=image.tag=0.1.0}
 */
public record Values(String defaults, List<String> flags) {
  public Values {
    flags = List.copyOf(flags);
  }
}
