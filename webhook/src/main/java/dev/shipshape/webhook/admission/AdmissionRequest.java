package dev.shipshape.webhook.admission;

import java.util.List;

/**
 * One admission request.
 *
 * @param uid names this call; the answer repeats it
 * @param subResource empty for the object itself
 * @param name the object's name; empty on a create that leaves it to the API server
 * @param namespace empty for objects that have none
 * @param user who asked
 * @param groups the user's groups
 * @param dryRun nothing will be stored, so nothing may be done
 * @param written the object as it would be stored; none on a deletion
 * @param oldObject the object as it is stored
 */
public record AdmissionRequest(
    String uid,
    Operation operation,
    GroupVersionResource resource,
    String subResource,
    String name,
    String namespace,
    String user,
    List<String> groups,
    boolean dryRun,
    RawObject written,
    RawObject oldObject) {
  public AdmissionRequest {
    groups = List.copyOf(groups);
  }

  /** Whether an object is written, and not deleted or reached by a subresource. */
  public boolean writesAnObject() {
    return subResource.isEmpty()
        && (operation == Operation.CREATE || operation == Operation.UPDATE);
  }

  /** The object as log lines and messages name it. */
  public String subject() {
    var place = namespace.isEmpty() ? "" : namespace + "/";
    var what = subResource.isEmpty() ? "" : "/" + subResource;
    return resource + what + " " + place + (name.isEmpty() ? "(unnamed)" : name);
  }
}
