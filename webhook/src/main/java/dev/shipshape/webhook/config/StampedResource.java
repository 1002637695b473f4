package dev.shipshape.webhook.config;

import dev.shipshape.service.Section;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A resource that is stamped without a guard.
 *
 * @param resource the name in kubectl, such as {@code widgets.example.com} or {@code configmaps}
 * @param status whether the status is hashed too. Works only if writes of the object itself store
 *     the status
 */
public record StampedResource(String resource, boolean status) {
  private static final Pattern RESOURCE_NAME =
      Pattern.compile("[a-z][a-z0-9-]*(\\.[a-z0-9]([a-z0-9.-]*[a-z0-9])?)?");

  private static final String CLUSTER_DEPENDS =
      "the cluster depends on these writes, so no webhook may delay them";

  private static final Map<String, String> REFUSED =
      Map.of(
          "secrets", "a short secret could be guessed from its hash",
          "pods", CLUSTER_DEPENDS,
          "leases.coordination.k8s.io", CLUSTER_DEPENDS,
          "events", CLUSTER_DEPENDS,
          "events.events.k8s.io", CLUSTER_DEPENDS);

  static StampedResource from(Section section) {
    var _ = section.required("resource");
    return new StampedResource(
        section.parsed("resource", "", StampedResource::checked), section.flag("status", false));
  }

  private static String checked(String text) {
    refusalOf(text)
        .ifPresent(
            refusal -> {
              throw new IllegalArgumentException(refusal);
            });
    if (!RESOURCE_NAME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is not a resource: write its plural and its group, such as widgets.example.com, or configmaps"
              .formatted(text));
    }
    return text;
  }

  /** Why this resource must not be stamped, nor guarded, which stamps it too; empty if it may. */
  static Optional<String> refusalOf(String resource) {
    return Optional.ofNullable(REFUSED.get(resource))
        .map(reason -> "%s are refused: %s".formatted(resource, reason));
  }
}
