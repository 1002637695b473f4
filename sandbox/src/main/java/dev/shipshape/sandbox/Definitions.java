package dev.shipshape.sandbox;

/**
 * Replicas of the CustomResourceDefinitions of the operators, as YAML: the same names, fields,
 * defaults and limits, with descriptions of our own.
 */
public final class Definitions {
  private Definitions() {}

  /**
   * {@code nodeconfigs.network.schiff.telekom.de}: NodeConfig, v1alpha1, cluster-scoped, with a
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
