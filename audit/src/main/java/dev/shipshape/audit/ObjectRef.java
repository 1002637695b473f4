package dev.shipshape.audit;

import java.util.stream.Stream;

/**
 * The object of a request: from the URL, and from the body for what the URL does not have. An
 * unknown part is empty.
 *
 * @param group the API group, empty for the core group
 * @param resource the plural, such as {@code pods}; empty for requests without a resource
 * @param name empty for lists, collections and refused creates with {@code generateName}
 */
public record ObjectRef(
    String group, String resource, String subresource, String namespace, String name) {

  /** Whether it is a review of Kubernetes, OpenShift or Calico, which is not stored. */
  boolean isReview() {
    return resource.endsWith("reviews")
        && Stream.of(".k8s.io", ".openshift.io", "projectcalico.org").anyMatch(group::endsWith);
  }

  /** {@code RESOURCE.GROUP}. */
  public String groupResource() {
    return group.isEmpty() ? resource : resource + "." + group;
  }

  /** {@code RESOURCE.GROUP/NAMESPACE/NAME}, without empty parts. */
  public String path() {
    return groupResource()
        + (namespace.isEmpty() ? "" : "/" + namespace)
        + (name.isEmpty() ? "" : "/" + name);
  }
}
