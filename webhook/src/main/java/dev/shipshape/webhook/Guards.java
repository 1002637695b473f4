package dev.shipshape.webhook;

import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.review.ResourceName;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The guards by the resource that they guard. */
final class Guards {
  private final Map<String, GuardIndex> byResource;

  Guards(Collection<? extends GuardIndex> guards) {
    byResource =
        guards.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    guarded -> guarded.guard().resource().toString(), Function.identity()));
  }

  /** Whether what is known for the guard of this name is complete and current. */
  boolean isUsable(String name) {
    return byResource.values().stream()
        .filter(guarded -> guarded.guard().name().equals(name))
        .anyMatch(guarded -> guarded.unusable().isEmpty());
  }

  /** The guard of this resource in any version; null where there is none. */
  @Nullable GuardIndex of(ResourceName resource) {
    return byResource.get(resource.toString());
  }
}
