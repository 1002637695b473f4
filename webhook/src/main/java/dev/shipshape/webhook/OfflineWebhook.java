package dev.shipshape.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.StoreLimits;
import dev.shipshape.webhook.index.BoundedObject;
import dev.shipshape.webhook.index.ObjectFeed;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.index.WatchedValues;
import dev.shipshape.webhook.known.Evidence;
import dev.shipshape.webhook.known.IndexedObject;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.store.KnownInvalidResource;
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
import java.util.Set;

/**
 * The decisions of the armed webhook without a server, by the same code. Only exemptions of a
 * rollout in progress are not known. Add everything known first: nodes and
 * KnownInvalidConfigurations before other objects.
 */
public final class OfflineWebhook {
  private final Map<String, Instant> readyNodes = new HashMap<>();
  private final InstantSource clock;
  private final Map<String, Guard> guards;
  private final KnownInvalid known;
  private final ObjectFeed feed;
  private final ValidationHandler handler;

  /** The decision about a write. */
  public record Judgement(AdmissionRequest request, Decision decision) {}

  /** Takes at most one guard for each resource. */
  public OfflineWebhook(
      Collection<Guard> guards, Scope scope, String overrideRole, InstantSource clock) {
    this.clock = clock;
    this.guards = Guard.byResource(guards);
    known = new KnownInvalid(guards, scope, StoreLimits.DEFAULT.rewriteInterval());
    feed =
        new ObjectFeed(
            known,
            new Revisions(guards, node -> Optional.ofNullable(readyNodes.get(node)), guard -> true),
            clock);
    handler =
        new ValidationHandler(
            this.guards,
            known,
            guard -> Optional.empty(),
            new RollbackExemptions(known, guard -> false),
            overrideRole,
            Set.of());
  }

  public boolean knowsNothing() {
    return known.isEmpty();
  }

  /** Adds a node. The time since when it is ready decides about failures of revisions. */
  public void addNode(JsonNode node) {
    WatchedValues.readySince(node)
        .ifPresent(since -> readyNodes.put(node.at("/metadata/name").asText(), since));
  }

  /**
   * Adds a KnownInvalidConfiguration; one without creationTimestamp is treated as created now.
   *
   * @throws IllegalArgumentException if it does not match the CustomResourceDefinition
   */
  public void addKnownInvalid(ObjectNode object) {
    var complete = object.deepCopy();
    if (complete.at("/metadata/creationTimestamp").isMissingNode()) {
      complete.withObject("/metadata").put("creationTimestamp", clock.instant().toString());
    }
    known.put(KnownInvalidResource.parse(complete));
  }

  /** Adds an object of a guarded resource; IOException if it exceeds the limits. */
  public IndexedObject add(Guard guard, JsonNode object) throws IOException {
    return feed.update(guard, BoundedObject.tree(object));
  }

  /**
   * Like {@link #add}, but the user declares it known invalid: a record counts without proof, and
   * so does a status without the managed fields, which kubectl get leaves out.
   *
   * @throws IllegalArgumentException if another configuration of the same record was added before
   */
  public void addKnownInvalid(Guard guard, JsonNode object) throws IOException {
    if (object.path("metadata") instanceof ObjectNode metadata) {
      if (!guard.resource().namespaced()) {
        // The API server does the same; tools such as kustomize may add one.
        metadata.remove("namespace");
      }
      if (!metadata.has("managedFields")) {
        // Else only managed fields tell whether the status is about the present content.
        metadata.remove("generation");
      }
    }
    var key =
        IndexedObject.key(
            object.at("/metadata/namespace").asText(), object.at("/metadata/name").asText());
    var before = known.find(guard, key);
    // Failures that an earlier status of this object reported stay known invalid.
    feed.delete(guard, key);
    var added = add(guard, object);
    if (before != null
        && before.role() instanceof Role.InvalidRecord
        && !before.hash().equals(added.hash())) {
      throw new IllegalArgumentException(
          "there is another record of this name, with another configuration: review by one of them"
              + " at a time, since a record counts only while it exists");
    }
    known.confirm(guard, added.key());
  }

  /** Decides about an AdmissionReview, JSON; Refused if it is incomplete or over the limits. */
  public Judgement judge(byte[] review) {
    var request = AdmissionReview.read(review);
    return new Judgement(request, handler.deny(request));
  }

  /** The evidence that the configuration of a write is invalid or suspected. */
  public List<Evidence> evidence(AdmissionRequest request) {
    var guard = guards.get(request.resource().toString());
    if (guard == null || request.object().isMissingNode()) {
      return List.of();
    }
    return known.evidence(
        guard,
        request.namespace(),
        request.name(),
        guard.roleOf(request.object()).node(),
        guard.identity().hash(request.object()));
  }
}
