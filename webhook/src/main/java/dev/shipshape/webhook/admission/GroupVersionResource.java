package dev.shipshape.webhook.admission;

public record GroupVersionResource(String group, String version, String plural) {
  /** The name in kubectl. */
  @Override
  public String toString() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
