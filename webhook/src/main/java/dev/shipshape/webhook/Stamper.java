package dev.shipshape.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.Decision.Patch;
import dev.shipshape.webhook.identity.CanonicalJson;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.review.AdmissionRequest;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Stamps objects with hashes of what they say. Recomputed on every write, so a forged hash does not
 * outlive the write that brings it; a hash that is not ours to give is taken off.
 */
final class Stamper implements Decider {
  static final String CONFIG_HASH = "shipshape.dev/config-hash";
  static final String NON_STATUS_HASH = "shipshape.dev/non-status-hash";
  static final String STATUS_HASH = "shipshape.dev/status-hash";
  static final Set<String> HASHES = Set.of(CONFIG_HASH, NON_STATUS_HASH, STATUS_HASH);

  private final Guards guards;
  private final StampedResources listed;

  Stamper(Guards guards) {
    this(guards, StampedResources.none());
  }

  Stamper(Guards guards, StampedResources listed) {
    this.guards = guards;
    this.listed = listed;
  }

  @Override
  public Decision decide(AdmissionRequest request) {
    var guarded = guards.of(request.resource());
    if (!(guarded == null ? listed.contain(request.resource()) : hasRulesFor(guarded, request))
        || !ValidationDecider.writesAnObject(request)
        || !(request.object() instanceof ObjectNode object)) {
      return new Allow(Grounds.NOTHING_TO_STAMP);
    }
    return AnnotationPatch.of(object, stamps(guarded, request, object), HASHES)
        .<Decision>map(Patch::new)
        .orElseGet(() -> new Allow(Grounds.NOTHING_TO_STAMP));
  }

  private static boolean hasRulesFor(GuardIndex guarded, AdmissionRequest request) {
    return guarded.guard().resource().version().equals(request.resource().version());
  }

  private SortedMap<String, String> stamps(
      @Nullable GuardIndex guarded, AdmissionRequest request, ObjectNode object) {
    var stamps = new TreeMap<String, String>();
    if (guarded == null) {
      stamps.put(NON_STATUS_HASH, NonStatusHash.of(object).toString());
    } else {
      var identity = guarded.guard().identity();
      stamps.put(CONFIG_HASH, identity.hash(object).toString());
      stamps.put(NON_STATUS_HASH, NonStatusHash.of(identity.withoutSecrets(object)).toString());
    }
    if (listed.contain(request.resource())
        && listed.keepStatus(request.resource())
        && object.hasNonNull("status")) {
      var status = CanonicalJson.write(object.get("status"));
      stamps.put(STATUS_HASH, ConfigHash.of(status).toString());
    }
    return stamps;
  }
}
