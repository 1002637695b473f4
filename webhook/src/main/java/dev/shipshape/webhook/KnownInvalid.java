package dev.shipshape.webhook;

import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.memory.Recollection;
import dev.shipshape.webhook.review.AdmissionRequest;
import dev.shipshape.webhook.timeout.Timeouts;
import java.util.List;
import java.util.stream.Stream;

/**
 * All that says that a configuration is invalid: what is there now, what is remembered, and what
 * took too long.
 */
final class KnownInvalid {
  private final Scope scope;
  private final Recollection memory;
  private final Timeouts timeouts;
  private final TimeoutSettings.Mode timeoutMode;

  /** Where nothing takes too long. */
  KnownInvalid(Scope scope, Recollection memory) {
    this(scope, memory, Timeouts.none(), TimeoutSettings.Mode.OFF);
  }

  KnownInvalid(
      Scope scope, Recollection memory, Timeouts timeouts, TimeoutSettings.Mode timeoutMode) {
    this.scope = scope;
    this.memory = memory;
    this.timeouts = timeouts;
    this.timeoutMode = timeoutMode;
  }

  /**
   * What says so of this configuration on this node, what took too long last; empty where nothing
   * does.
   *
   * @param node that the request is about
   */
  List<Finding> about(GuardIndex guarded, AdmissionRequest request, String node, ConfigHash hash) {
    var guard = guarded.guard();
    if (guard.isProbe(hash)) {
      return List.of(new Finding.OfProbe());
    }
    var remembered = memory.ofInvalid(guard, hash).<Finding>map(Finding.OfMemory::new).stream();
    return Stream.of(objects(guarded, request, hash), remembered, timedOut(guarded, request, hash))
        .flatMap(findings -> findings)
        .filter(finding -> !scope.isPerNode(guard) || finding.nodes().contains(node))
        .toList();
  }

  private Stream<Finding> timedOut(GuardIndex guarded, AdmissionRequest request, ConfigHash hash) {
    var late = timeouts.of(guarded.guard(), hash);
    if (late.isEmpty()) {
      return Stream.empty();
    }
    var pardoned = memory.pardoned(guarded.guard(), hash);
    var itself = IndexedObject.key(request.namespace(), request.name());
    return late.stream()
        .filter(found -> found.isReplaced() || !found.object().equals(itself))
        .filter(found -> pardoned.isEmpty() || found.since().isAfter(pardoned.get()))
        .map(found -> new Finding.OfTimeout(found, timeoutMode == TimeoutSettings.Mode.WARN));
  }

  private Stream<Finding> objects(GuardIndex guarded, AdmissionRequest request, ConfigHash hash) {
    var pardoned = memory.pardoned(guarded.guard(), hash);
    return guarded.index().saying(hash).stream()
        .filter(found -> !isItself(found, request))
        .filter(found -> pardoned.isEmpty() || found.at() > pardoned.get().getEpochSecond())
        .map(Finding.OfObject::new);
  }

  private static boolean isItself(IndexedObject found, AdmissionRequest request) {
    return found.name().equals(request.name()) && found.namespace().equals(request.namespace());
  }
}
