package dev.shipshape.webhook.admission;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One admission request.
 *
 * @param uid identifies this call; the response repeats it
 * @param subResource empty for the object itself
 * @param name empty on a create with generateName
 * @param namespace empty for cluster-scoped objects
 * @param dryRun whether nothing is stored, so that side effects are not allowed
 * @param object as it would be stored; missing on a delete
 * @param oldObject as it is stored; missing on a create
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
  /** Whether the object itself is created or updated. */
  public boolean writesAnObject() {
    return subResource.isEmpty()
        && (operation == Operation.CREATE || operation == Operation.UPDATE);
  }

  public String subject() {
    var place = namespace.isEmpty() ? "" : namespace + "/";
    var what = subResource.isEmpty() ? "" : "/" + subResource;
    return resource + what + " " + place + (name.isEmpty() ? "(unnamed)" : name);
  }
}
