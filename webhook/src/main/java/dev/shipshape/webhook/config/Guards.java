package dev.shipshape.webhook.config;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The guards by the resource that they guard. */
public final class Guards {
  private final Map<String, Guard> byResource;

  /** Of these guards, no two of which guard one resource. */
  public Guards(Collection<Guard> guards) {
    byResource =
        guards.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    guard -> guard.resource().toString(), Function.identity()));
  }

  /**
   * The guard of this resource in any version; null if there is none.
   *
   * @param resource as kubectl names it
   */
  public @Nullable Guard of(String resource) {
    return byResource.get(resource);
  }

  /** The guard of this name. */
  public Optional<Guard> named(String name) {
    return byResource.values().stream().filter(guard -> guard.name().equals(name)).findFirst();
  }
}
