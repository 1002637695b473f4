package dev.shipshape.webhook.admission;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One admission request.
 *
 * @param uid names this call; the answer repeats it
 * @param subResource empty for the object itself
 * @param name the object's name; empty on a create that leaves it to the API server
 * @param namespace empty for objects that have none
 * @param user who asked
 * @param dryRun nothing will be stored, so nothing may be done
 * @param object as it would be stored; missing on a deletion
 * @param oldObject as it is stored; missing on a creation
 */
public record AdmissionRequest(
    String uid,
    Operation operation,
    GroupVersionResource resource,
    String subResource,
    String name,
    String namespace,
    String user,
    boolean dryRun,
    JsonNode object,
    JsonNode oldObject) {
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
