package dev.shipshape.webhook.index;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The guards by the resource that they guard. */
public final class Guards {
  private final Map<String, GuardIndex> byResource;

  /** Of these guards, no two of which guard one resource. */
  public Guards(Collection<? extends GuardIndex> guards) {
    byResource =
        guards.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    guarded -> guarded.guard().resource().toString(), Function.identity()));
  }

  /**
   * The guard of this resource in any version; null where there is none.
   *
   * @param resource as kubectl names it
   */
  public @Nullable GuardIndex of(String resource) {
    return byResource.get(resource);
  }

  /** The guard of this name. */
  public Optional<GuardIndex> named(String guard) {
    return byResource.values().stream()
        .filter(guarded -> guarded.guard().name().equals(guard))
        .findFirst();
  }
}
