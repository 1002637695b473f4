package dev.shipshape.webhook.admission;

/** Group, version and plural of a resource, as a review names it. */
public record GroupVersionResource(String group, String version, String plural) {
  /** As kubectl names it. */
  @Override
  public String toString() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
