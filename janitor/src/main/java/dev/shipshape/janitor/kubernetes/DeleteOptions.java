package dev.shipshape.janitor.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a deletion insists on. The client's own deletion sends no uid, so this is written by hand.
 *
 * @param uid only this very object, not another one of its name
 * @param resourceVersion only as we last saw it; null for any version
 * @param graceSeconds how long it has to end; null for what it asks for itself
 */
public record DeleteOptions(
    String uid, @Nullable String resourceVersion, @Nullable Integer graceSeconds) {

  /** With the time to end that the object asks for itself. */
  public DeleteOptions(String uid, @Nullable String resourceVersion) {
    this(uid, resourceVersion, null);
  }

  /** Always with Background: the default of some kinds (Job) would orphan what they own. */
  String toJson() {
    var options = JsonNodeFactory.instance.objectNode();
    options
        .put("apiVersion", "v1")
        .put("kind", "DeleteOptions")
        .put("propagationPolicy", "Background");
    var preconditions = options.putObject("preconditions").put("uid", uid);
    if (resourceVersion != null) {
      preconditions.put("resourceVersion", resourceVersion);
    }
    if (graceSeconds != null) {
      options.put("gracePeriodSeconds", graceSeconds);
    }
    return options.toString();
  }
}
