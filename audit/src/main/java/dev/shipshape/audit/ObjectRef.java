package dev.shipshape.audit;

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
