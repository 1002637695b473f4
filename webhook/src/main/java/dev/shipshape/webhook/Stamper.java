package dev.shipshape.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.Decision.Patch;
import dev.shipshape.webhook.review.AdmissionRequest;
import java.util.TreeMap;

/**
 * Stamps objects with hashes of what they say. Recomputed on every write, so a forged hash does not
 * outlive the write that brings it.
 */
final class Stamper implements Decider {
  static final String CONFIG_HASH = "shipshape.dev/config-hash";
  static final String NON_STATUS_HASH = "shipshape.dev/non-status-hash";

  private final Guards guards;

  Stamper(Guards guards) {
    this.guards = guards;
  }

  @Override
  public Decision decide(AdmissionRequest request) {
    var guarded = guards.of(request.resource());
    if (guarded == null
        || !ValidationDecider.writesAnObject(request)
        || !guarded.guard().resource().version().equals(request.resource().version())
        || !(request.object() instanceof ObjectNode object)) {
      return new Allow(Grounds.NOTHING_TO_STAMP);
    }
    var identity = guarded.guard().identity();
    var stamps = new TreeMap<String, String>();
    stamps.put(CONFIG_HASH, identity.hash(object).toString());
    stamps.put(NON_STATUS_HASH, NonStatusHash.of(identity.withoutSecrets(object)).toString());
    return AnnotationPatch.setting(object, stamps)
        .<Decision>map(Patch::new)
        .orElseGet(() -> new Allow(Grounds.NOTHING_TO_STAMP));
  }
}
