package dev.shipshape.webhook.config;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds guards by resource or name. */
public final class Guards {
  private final Map<String, Guard> byResource;

  /** Takes at most one guard for each resource. */
  public Guards(Collection<Guard> guards) {
    byResource =
        guards.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    guard -> guard.resource().toString(), Function.identity()));
  }

  /**
   * Returns the guard of this resource in any version; null if there is none.
   *
   * @param resource the name in kubectl, such as {@code nodeconfigs.network.schiff.telekom.de}
   */
  public @Nullable Guard of(String resource) {
    return byResource.get(resource);
  }

  public Optional<Guard> named(String name) {
    return byResource.values().stream().filter(guard -> guard.name().equals(name)).findFirst();
  }
}
