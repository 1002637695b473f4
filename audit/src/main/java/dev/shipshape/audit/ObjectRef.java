package dev.shipshape.audit;

/**
 * The object that a request is about. Made by the API server from the URL; what the URL does not
 * say comes from what the client sent. A part that is not known is the empty string.
 *
 * @param group the API group, empty for the core group
 * @param resource the plural, such as {@code pods}; empty for requests that are about no resource
 * @param name empty for lists, collections and refused creates with {@code generateName}
 */
public record ObjectRef(
    String group, String resource, String subresource, String namespace, String name) {

  /** {@code RESOURCE.GROUP}. */
  public String groupResource() {
    return group.isEmpty() ? resource : resource + "." + group;
  }

  /** {@code RESOURCE.GROUP/NAMESPACE/NAME}, without the parts that are not there. */
  public String path() {
    return groupResource()
        + (namespace.isEmpty() ? "" : "/" + namespace)
        + (name.isEmpty() ? "" : "/" + name);
  }
}
