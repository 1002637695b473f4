package dev.shipshape.webhook.config;

import dev.shipshape.service.Section;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A resource that a user wants stamped.
 *
 * @param plural the resource's name in URLs
 * @param group the API group; empty for the core group
 * @param status whether its status is hashed too: only if writes of the object itself store it
 */
public record StampedResource(String plural, String group, boolean status) {
  private static final Pattern WRITTEN =
      Pattern.compile("([a-z][a-z0-9-]*)(?:\\.([a-z0-9]([a-z0-9.-]*[a-z0-9])?))?");

  private static final String TOO_MANY_WRITES =
      "the cluster depends on these writes, so no webhook may hold them up";

  private static final Map<String, String> REFUSED =
      Map.of(
          "secrets", "from a hash of a secret the secret can be guessed",
          "pods", TOO_MANY_WRITES,
          "leases.coordination.k8s.io", TOO_MANY_WRITES,
          "events", TOO_MANY_WRITES,
          "events.events.k8s.io", TOO_MANY_WRITES);

  /** Reads one of the settings; empty where it is a problem of them. */
  static Optional<StampedResource> from(Section section) {
    var status = section.flag("status", false);
    var written = section.required("resource");
    return section
        .parsed("resource", Optional.<StampedResource>empty(), _ -> Optional.of(parse(written)))
        .map(each -> new StampedResource(each.plural(), each.group(), status));
  }

  /**
   * Reads a resource as kubectl names it, such as {@code widgets.example.com} or {@code
   * configmaps}.
   *
   * @throws IllegalArgumentException where it is none, or one that is never stamped
   */
  static StampedResource parse(String text) {
    var refusal = refusalOf(text);
    if (refusal.isPresent()) {
      throw new IllegalArgumentException(refusal.get());
    }
    var match = WRITTEN.matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no resource: write its plural and its group, such as widgets.example.com, or configmaps"
              .formatted(text));
    }
    return new StampedResource(match.group(1), match.group(2) == null ? "" : match.group(2), false);
  }

  /**
   * Why this resource is never stamped, nor guarded, which stamps it too; empty where it may be.
   */
  static Optional<String> refusalOf(String resource) {
    return Optional.ofNullable(REFUSED.get(resource))
        .map(why -> "%s are refused: %s".formatted(resource, why));
  }

  /** As kubectl names it. */
  @Override
  public String toString() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
