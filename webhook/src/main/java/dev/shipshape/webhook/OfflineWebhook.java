package dev.shipshape.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Refused;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.StoreLimits;
import dev.shipshape.webhook.index.Guards;
import dev.shipshape.webhook.index.LastKnownGood;
import dev.shipshape.webhook.index.NodeWatch;
import dev.shipshape.webhook.index.OfflineIndex;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.store.KnownInvalidConfiguration;
import dev.shipshape.webhook.store.KnownInvalidStore;
import dev.shipshape.webhook.validation.Evidence;
import dev.shipshape.webhook.validation.KnownInvalidLookup;
import dev.shipshape.webhook.validation.RollbackExemptions;
import dev.shipshape.webhook.validation.ValidationHandler;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The armed webhook's judgement without a server: it knows what it is given, and decides by the
 * code that decides at admission. Only the exemptions of a rollout that is going on are unknown to
 * it. Give it all that is known first, nodes and KnownInvalidConfigurations before the rest.
 */
public final class OfflineWebhook {
  private final Map<String, OfflineIndex> indexes;
  private final Map<String, Instant> readyNodes = new HashMap<>();
  private final KnownInvalidStore store = new KnownInvalidStore(StoreLimits.DEFAULT);
  private final InstantSource clock;
  private final Guards guards;
  private final KnownInvalidLookup known;
  private final ValidationHandler handler;

  /** What is decided about a write. */
  public record Judgement(AdmissionRequest request, Decision decision) {}

  /** An object that cannot be judged, with the reason. */
  public static final class Unjudgeable extends Exception {
    private static final long serialVersionUID = 1L;

    Unjudgeable(String reason) {
      super(reason);
    }
  }

  /**
   * @param guards no two of one resource
   * @param overrideRole the ClusterRole that lets somebody override, as messages name it
   */
  public OfflineWebhook(
      Collection<Guard> guards, Scope scope, String overrideRole, InstantSource clock) {
    this.clock = clock;
    var revisions = new Revisions(guards, node -> Optional.ofNullable(readyNodes.get(node)));
    known = new KnownInvalidLookup(scope, store);
    indexes =
        guards.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Guard::name,
                    guard ->
                        new OfflineIndex(
                            guard,
                            revisions,
                            guard.stampsOnly() ? List.of(revisions) : List.of(store, revisions))));
    this.guards = new Guards(indexes.values());
    handler =
        new ValidationHandler(
            this.guards,
            known,
            new RollbackExemptions(new LastKnownGood(guards), Map.of()),
            overrideRole);
  }

  /** Since when a node is ready counts for what its configuration's failure says of a revision. */
  public void addNode(JsonNode node) {
    NodeWatch.since(node)
        .ifPresent(since -> readyNodes.put(node.at("/metadata/name").asText(), since));
  }

  /**
   * Takes a KnownInvalidConfiguration. One that no API server has had yet counts from now on.
   *
   * @throws Unjudgeable if it is not what its definition allows
   */
  public void addKnownInvalid(ObjectNode object) throws Unjudgeable {
    var complete = object.deepCopy();
    if (complete.at("/metadata/creationTimestamp").isMissingNode()) {
      complete.withObject("/metadata").put("creationTimestamp", clock.instant().toString());
    }
    try {
      store.add(KnownInvalidConfiguration.of(complete));
    } catch (IllegalArgumentException e) {
      throw new Unjudgeable(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Takes an object of a guarded resource.
   *
   * @throws Unjudgeable if it is too large or too deep
   */
  public void add(Guard guard, JsonNode object) throws Unjudgeable {
    try {
      var index = indexes.get(guard.name());
      if (index == null) {
        throw new IllegalArgumentException("not one of the guards: " + guard.name());
      }
      index.put(object);
    } catch (IOException e) {
      throw new Unjudgeable(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Decides about an AdmissionReview, JSON, as the armed webhook would.
   *
   * @throws Unjudgeable if it is no complete AdmissionReview, or of an object beyond the limits
   */
  public Judgement judge(byte[] review) throws Unjudgeable {
    try {
      var request = AdmissionReview.read(review);
      return new Judgement(request, handler.deny(request));
    } catch (Refused e) {
      throw new Unjudgeable(e.message());
    }
  }

  /** What says that the configuration of a write is invalid or suspected. */
  public List<Evidence> evidence(AdmissionRequest request) {
    var guarded = guards.of(request.resource().toString());
    if (guarded == null || request.object().isMissingNode()) {
      return List.of();
    }
    var guard = guarded.guard();
    return known.about(
        guarded,
        request,
        guard.roleOf(request.object()).node(),
        guard.identity().hash(request.object()));
  }
}
