package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.store.KnownInvalidConfiguration;
import dev.shipshape.webhook.store.KnownInvalidStore;
import dev.shipshape.webhook.store.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All that says that a configuration is invalid: the objects, and the store. */
public final class KnownInvalidLookup {
  private final Scope scope;
  private final KnownInvalidStore store;

  public KnownInvalidLookup(Scope scope, KnownInvalidStore store) {
    this.scope = scope;
    this.store = store;
  }

  /**
   * What says so of this configuration on this node, what only warns last; empty where nothing
   * does.
   *
   * @param node that the request is about
   */
  public List<Evidence> about(
      GuardIndex guarded, AdmissionRequest request, String node, ConfigHash hash) {
    var guard = guarded.guard();
    if (guard.isProbe(hash)) {
      return List.of(Evidence.PROBE);
    }
    return Stream.concat(objects(guarded, request, hash), stored(guarded, request, hash))
        .filter(finding -> !scope.isPerNode(guard) || finding.isAbout(node))
        .sorted(Comparator.comparing(Evidence::onlyWarns))
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
  private boolean isOfRefusal(Guard guard, IndexedObject found) {
    return !scope.isPerNode(guard) && store.isOfRefusal(guard, found);
  }

  /** How many configurations the objects of the index make known invalid, or only suspected. */
  public long size(GuardIndex guarded, boolean suspected) {
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
    var cleared = store.clearedByHand(guard, found);
    return (cleared.isEmpty() || found.earliest() > cleared.get().getEpochSecond())
        && !isOfRefusal(guard, found);
  }

  private Stream<Evidence> objects(GuardIndex guarded, AdmissionRequest request, ConfigHash hash) {
    return guarded.index().saying(hash).stream()
        .filter(found -> !isItself(found, request))
        .filter(found -> guarded.guard().reaches(found.namespace(), request.namespace()))
        .filter(found -> counts(guarded.guard(), found))
        .map(found -> Evidence.of(guarded.guard(), found));
  }

  /** Nothing that the object itself still says. */
  private Stream<Evidence> stored(GuardIndex guarded, AdmissionRequest request, ConfigHash hash) {
    return store
        .find(guarded.guard(), request.namespace(), hash)
        .filter(
            known ->
                guarded.index().saying(hash).stream()
                    .filter(found -> !isItself(found, request))
                    .filter(found -> found.suspected() == (known.verdict() == Verdict.SUSPECTED))
                    .noneMatch(found -> saysAllOf(guarded.guard(), found, known)))
        .map(Evidence::of);
  }

  private boolean saysAllOf(Guard guard, IndexedObject found, KnownInvalidConfiguration known) {
    return found.name().equals(known.source().name())
        && found.namespace().equals(known.key().namespace())
        && (known.nodes().size() <= 1 || !scope.isPerNode(guard));
  }

  private static boolean isItself(IndexedObject found, AdmissionRequest request) {
    return found.name().equals(request.name()) && found.namespace().equals(request.namespace());
  }
}
