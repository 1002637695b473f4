package dev.shipshape.webhook;

import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.Decision.Patch;
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
        || !request.written().exists()) {
      return new Allow(Grounds.NOTHING_TO_STAMP);
    }
    return AnnotationPatch.of(request.written().head(), stamps(guarded, request), HASHES)
        .<Decision>map(Patch::new)
        .orElseGet(() -> new Allow(Grounds.NOTHING_TO_STAMP));
  }

  private static boolean hasRulesFor(GuardIndex guarded, AdmissionRequest request) {
    return guarded.guard().resource().version().equals(request.resource().version());
  }

  private SortedMap<String, String> stamps(@Nullable GuardIndex guarded, AdmissionRequest request) {
    var object = request.written();
    var identity = guarded == null ? null : guarded.guard().identity();
    var stamps = new TreeMap<String, String>();
    stamps.put(NON_STATUS_HASH, NonStatusHash.of(object, identity).toString());
    if (identity != null) {
      stamps.put(CONFIG_HASH, object.hash(identity).toString());
    }
    if (listed.contain(request.resource())
        && listed.keepStatus(request.resource())
        && object.has("status")) {
      stamps.put(STATUS_HASH, object.hashOf("status").toString());
    }
    return stamps;
  }
}
