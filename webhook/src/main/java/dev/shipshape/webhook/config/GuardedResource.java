package dev.shipshape.webhook.config;

/**
 * A resource of the Kubernetes API.
 *
 * @param version the version that the guard's rules are written for
 * @param plural the name in URLs
 */
public record GuardedResource(
    String group, String version, String plural, String kind, boolean namespaced) {

  /** The URL path of all objects. */
  public String path() {
    return base() + plural;
  }

  /** The URL path of the objects in a namespace. */
  public String path(String namespace) {
    return "%snamespaces/%s/%s".formatted(base(), namespace, plural);
  }

  private String base() {
    return (group.isEmpty() ? "/api/" : "/apis/") + apiVersion() + "/";
  }

  /** The group and version as in manifests. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** The name in kubectl: {@code nodeconfigs.network.schiff.telekom.de}. */
  @Override
  public String toString() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
