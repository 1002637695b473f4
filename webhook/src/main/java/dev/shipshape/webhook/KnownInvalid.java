package dev.shipshape.webhook;

import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.memory.Recollection;
import dev.shipshape.webhook.review.AdmissionRequest;
import java.util.List;
import java.util.stream.Stream;

/** All that says that a configuration is invalid: what is there now, and what is remembered. */
final class KnownInvalid {
  private final Scope scope;
  private final Recollection memory;

  KnownInvalid(Scope scope, Recollection memory) {
    this.scope = scope;
    this.memory = memory;
  }

  /**
   * What says so of this configuration on this node; empty where nothing does.
   *
   * @param node that the request is about
   */
  List<Finding> about(GuardIndex guarded, AdmissionRequest request, String node, ConfigHash hash) {
    var guard = guarded.guard();
    if (guard.isProbe(hash)) {
      return List.of(new Finding.OfProbe());
    }
    return Stream.concat(
            objects(guarded, request, hash),
            memory.ofInvalid(guard, hash).<Finding>map(Finding.OfMemory::new).stream())
        .filter(finding -> isEverywhere(guard) || finding.nodes().contains(node))
        .toList();
  }

  private Stream<Finding> objects(GuardIndex guarded, AdmissionRequest request, ConfigHash hash) {
    var pardoned = memory.pardoned(guarded.guard(), hash);
    return guarded.index().saying(hash).stream()
        .filter(found -> !isItself(found, request))
        .filter(found -> pardoned.isEmpty() || found.at() > pardoned.get().getEpochSecond())
        .map(Finding.OfObject::new);
  }

  private boolean isEverywhere(Guard guard) {
    return scope == Scope.CLUSTER && !guard.perNode();
  }

  private static boolean isItself(IndexedObject found, AdmissionRequest request) {
    return found.name().equals(request.name()) && found.namespace().equals(request.namespace());
  }
}
