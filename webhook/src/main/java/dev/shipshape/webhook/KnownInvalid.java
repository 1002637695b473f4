package dev.shipshape.webhook;

import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.memory.Recollection;
import dev.shipshape.webhook.memory.Remembered;
import dev.shipshape.webhook.review.AdmissionRequest;
import dev.shipshape.webhook.timeout.Timeouts;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
   * What says so of this configuration on this node, what only warns last; empty where nothing
   * does.
   *
   * @param node that the request is about
   */
  List<Finding> about(GuardIndex guarded, AdmissionRequest request, String node, ConfigHash hash) {
    var guard = guarded.guard();
    if (guard.isProbe(hash)) {
      return List.of(new Finding.OfProbe());
    }
    return Stream.of(
            objects(guarded, request, hash),
            remembered(guarded, request, hash),
            timedOut(guarded, request, hash))
        .flatMap(findings -> findings)
        .filter(finding -> !scope.isPerNode(guard) || finding.nodes().contains(node))
        .sorted(Comparator.comparing(Finding::onlyWarns))
        .toList();
  }

  /** The record that this configuration was refused on this node before; empty where it was not. */
  Optional<String> refusedBefore(
      GuardIndex guarded, String namespace, String node, ConfigHash hash) {
    var records = guarded.guard().records();
    return records == null
        ? Optional.empty()
        : guarded.index().saying(hash).stream()
            .filter(found -> found.namespace().equals(namespace))
            .filter(found -> found.role().node().equals(node))
            .filter(found -> isOfRefusal(guarded.guard(), found))
            .map(IndexedObject::key)
            .findFirst();
  }

  /** Whether this record is of a refusal, which says nothing about the node that it is of. */
  boolean isOfRefusal(Guard guard, IndexedObject found) {
    return !scope.isPerNode(guard) && memory.refusedBefore(guard, found);
  }

  /** How many configurations the objects of the index make known invalid, or only suspected. */
  long size(GuardIndex guarded, boolean suspected) {
    return guarded
        .index()
        .objects()
        .filter(found -> found.suspected() == suspected && counts(guarded.guard(), found))
        .map(IndexedObject::hash)
        .distinct()
        .count();
  }

  private boolean counts(Guard guard, IndexedObject found) {
    if (guard.stampsOnly() || !(found.invalid() || found.suspected())) {
      return false;
    }
    var pardoned = memory.pardoned(guard, found.hash());
    return (pardoned.isEmpty() || found.earliest() > pardoned.get().getEpochSecond())
        && !isOfRefusal(guard, found);
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
    return guarded.index().saying(hash).stream()
        .filter(found -> !isItself(found, request))
        .filter(found -> counts(guarded.guard(), found))
        .map(Finding.OfObject::new);
  }

  /** Nothing that the object itself still says. */
  private Stream<Finding> remembered(
      GuardIndex guarded, AdmissionRequest request, ConfigHash hash) {
    return memory.ofInvalid(guarded.guard(), hash).stream()
        .filter(
            remembered ->
                guarded.index().saying(hash).stream()
                    .filter(found -> !isItself(found, request))
                    .filter(found -> found.suspected() == remembered.suspected())
                    .noneMatch(found -> saysAllOf(guarded.guard(), found, remembered)))
        .map(Finding.OfMemory::new);
  }

  private boolean saysAllOf(Guard guard, IndexedObject found, Remembered.Invalid remembered) {
    return found.name().equals(remembered.origin().name())
        && found.namespace().equals(remembered.origin().namespace())
        && (remembered.nodes().size() <= 1 || !scope.isPerNode(guard));
  }

  private static boolean isItself(IndexedObject found, AdmissionRequest request) {
    return found.name().equals(request.name()) && found.namespace().equals(request.namespace());
  }
}
