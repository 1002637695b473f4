package dev.shipshape.webhook.config;

/**
 * A resource of the Kubernetes API.
 *
 * @param group the API group
 * @param version the version that the rules are written for
 * @param plural the resource's name in URLs
 * @param kind the kind of its objects
 * @param namespaced whether its objects are in namespaces
 */
public record GuardedResource(
    String group, String version, String plural, String kind, boolean namespaced) {

  /** Where the API server has all of its objects. */
  public String path() {
    return base() + plural;
  }

  /** Where it has those of a namespace. */
  public String path(String namespace) {
    return "%snamespaces/%s/%s".formatted(base(), namespace, plural);
  }

  private String base() {
    return (group.isEmpty() ? "/api/" : "/apis/" + group + "/") + version + "/";
  }

  /** As kubectl names it: {@code nodeconfigs.network.schiff.telekom.de}. */
  @Override
  public String toString() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
