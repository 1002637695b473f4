package dev.shipshape.webhook.config;

/** A resource of the Kubernetes API, in the version that the guard's rules are written for. */
public record GuardedResource(
    String group, String version, String plural, String kind, boolean namespaced) {

  public String path() {
    return base() + plural;
  }

  public String path(String namespace) {
    return "%snamespaces/%s/%s".formatted(base(), namespace, plural);
  }

  private String base() {
    return (group.isEmpty() ? "/api/" : "/apis/") + apiVersion() + "/";
  }

  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** The name in kubectl: {@code nodeconfigs.network.schiff.telekom.de}. */
  @Override
  public String toString() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
