package dev.shipshape.sandbox;

/**
 * Custom resource definitions that stand in for those of the operators that shipshape serves: the
 * same names, fields, defaults and limits, in our words. As YAML text, ready to be applied.
 */
public final class Definitions {
  private Definitions() {}

  /**
   * {@code nodeconfigs.network.schiff.telekom.de}: NodeConfig, v1alpha1, of the cluster, with a
   * status subresource.
   */
  public static String nodeConfigs() {
    return Resource.text("nodeconfigs.yaml");
  }

  /**
   * {@code cfsessions.cms.cray.com}: ConfigFrameworkSession, v1, namespaced. Its state is in {@code
   * .spec.status}, although it has a status subresource.
   */
  public static String sessions() {
    return Resource.text("cfsessions.yaml");
  }
}
