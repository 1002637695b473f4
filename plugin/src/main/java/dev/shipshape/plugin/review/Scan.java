package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.plugin.review.ObjectReview.Equal;
import dev.shipshape.webhook.OfflineWebhook;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.index.Reflector;
import dev.shipshape.webhook.known.Evidence;
import dev.shipshape.webhook.known.IndexedObject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds objects in a cluster whose configuration is known invalid there.
 *
 * @param webhook with all that the cluster knows invalid
 */
public record Scan(GuardedKinds kinds, OfflineWebhook webhook) {
  /**
   * An object whose configuration equals a known-invalid one.
   *
   * @param object kind, namespace and name
   * @param verdict invalid or suspected
   */
  public record Hit(String object, String verdict, String hash, Equal equal) {}

  /**
   * Reads all objects of guarded kinds.
   *
   * @throws dev.shipshape.service.StartFailure if a list cannot be read or an object not be judged
   */
  public List<Hit> of(KubernetesClient client) {
    var hits = new ArrayList<Hit>();
    for (var guard : kinds.guards()) {
      if (!guard.stampOnly()) {
        Reflector.list(
            client,
            guard.resource().path(),
            object -> hit(guard, object.tree()).ifPresent(hits::add));
      }
    }
    return hits;
  }

  private Optional<Hit> hit(Guard guard, JsonNode object) {
    var judgement =
        AdmissionReviews.judge(webhook, AdmissionReviews.of(guard, object, "CREATE", ""));
    return judgement.decision().reason() == Reason.RECORD
        ? Optional.empty()
        : webhook.evidence(judgement.request()).stream()
            .filter(evidence -> !isOwn(evidence, guard, object))
            .findFirst()
            .map(evidence -> hit(guard, object, evidence));
  }

  /** Whether the evidence is only the object's own status, or a record of it. */
  private static boolean isOwn(Evidence evidence, Guard guard, JsonNode object) {
    var isOfNode =
        guard.namesNodes()
            && !guard.resource().namespaced()
            && evidence.nodes().equals(List.of(guard.roleOf(object).node()));
    return isOfNode
        || (evidence.rememberedFrom().equals(key(object)) && evidence.nodes().size() <= 1);
  }

  private static String key(JsonNode object) {
    return IndexedObject.key(
        object.at("/metadata/namespace").asText(), object.at("/metadata/name").asText());
  }

  private static Hit hit(Guard guard, JsonNode object, Evidence evidence) {
    return new Hit(
        guard.resource().kind() + " " + key(object),
        evidence.onlyWarns() ? "suspected" : "invalid",
        guard.identity().hash(object).toString(),
        Equal.of(evidence));
  }
}
