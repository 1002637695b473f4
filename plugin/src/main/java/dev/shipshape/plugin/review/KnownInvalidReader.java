package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.OfflineWebhook;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.index.Reflector;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.store.KnownInvalidClient;
import dev.shipshape.webhook.store.KnownInvalidResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Fills an offline webhook with known-invalid configurations from files or from a cluster. */
public record KnownInvalidReader(GuardedKinds kinds, OfflineWebhook webhook) {
  /**
   * Annotation of an exported object: when it failed. The cluster that imports it records the
   * import as the time.
   */
  public static final String FAILED_AT = "shipshape.dev/failed-at";

  private static final String NODES = "/api/v1/nodes";
  private static final String NODE = "Node";
  private static final String KNOWN_INVALID = "KnownInvalidConfiguration";
  private static final Set<String> KINDS = Set.of(NODE, KNOWN_INVALID);

  /**
   * Reads files: objects with an invalid status, records, exported KnownInvalidConfigurations,
   * nodes. A file without any of them is a problem.
   */
  public void read(List<String> names, Consumer<Problem> problems) {
    var objects = new ArrayList<ManifestObject>();
    for (var file : ManifestFiles.of(names, List.of(), problems)) {
      var before = objects.size();
      var failures = new ArrayList<Problem>();
      ManifestReader.read(
          file,
          kind -> KINDS.contains(kind) || kind.endsWith("List") || kinds.isGuarded(kind),
          kinds.inVersion(
              object -> Optional.of(object).filter(this::isKnowledge).ifPresent(objects::add),
              failures::add),
          failures::add);
      failures.forEach(problems);
      if (objects.size() == before && failures.stream().allMatch(Problem::note)) {
        problems.accept(
            new Problem(file, 1, "has no object of a guarded kind, and nothing known invalid"));
      }
    }
    var isRead = !objects.isEmpty();
    objects.removeIf(this::isEmptyList);
    // First what is needed to judge an object's status: nodes and KnownInvalidConfigurations.
    var first = objects.stream().filter(each -> kinds.of(each).isEmpty());
    var then = objects.stream().filter(each -> kinds.of(each).isPresent());
    var unknownGuards = new HashSet<String>();
    Stream.concat(first, then).forEach(each -> add(each, unknownGuards, problems));
    if (isRead && webhook.knowsNothing()) {
      var message = "nothing is known invalid by what --known-invalid names";
      problems.accept(new Problem(names.getFirst(), 1, message, true));
    }
  }

  private boolean isEmptyList(ManifestObject object) {
    return object.text("/kind").endsWith("List")
        && object.json().path("items").isArray()
        && kinds.of(object).isEmpty();
  }

  private boolean isKnowledge(ManifestObject object) {
    return isNode(object)
        || isKnownInvalid(object)
        || isEmptyList(object)
        || kinds.of(object).isPresent();
  }

  private static boolean isNode(ManifestObject object) {
    return object.text("/kind").equals(NODE) && object.text("/apiVersion").equals("v1");
  }

  private static boolean isKnownInvalid(ManifestObject object) {
    return object.text("/kind").equals(KNOWN_INVALID)
        && object.text("/apiVersion").startsWith("shipshape.dev/");
  }

  private void add(ManifestObject object, Set<String> unknownGuards, Consumer<Problem> problems) {
    try {
      if (isNode(object)) {
        webhook.addNode(object.json());
      } else if (isKnownInvalid(object)) {
        webhook.addKnownInvalid(since(object.json()));
        var guard = object.text("/spec/guard");
        if (kinds.guards().stream().map(Guard::name).noneMatch(guard::equals)
            && unknownGuards.add(guard)) {
          var why = "there is no guard %s here: give it by --settings FILE".formatted(guard);
          problems.accept(object.problem(why));
        }
      } else {
        var guard = kinds.of(object).orElseThrow();
        webhook.addKnownInvalid(
            guard, AdmissionReviews.placed(guard, object.json(), Reviewer.DEFAULT_NAMESPACE));
      }
    } catch (IOException | IllegalArgumentException e) {
      problems.accept(object.problem(String.valueOf(e.getMessage())));
    }
  }

  /** Uses the time of the failure, if the export has it: a file has no creation time. */
  private static ObjectNode since(ObjectNode object) {
    var metadata = object.withObject("/metadata");
    var failed = metadata.path("annotations").path(FAILED_AT);
    if (failed.isTextual() && !metadata.has("creationTimestamp")) {
      metadata.set("creationTimestamp", failed);
    }
    return object;
  }

  /** Reads a stored KnownInvalidConfiguration; empty if it is malformed. */
  public static Optional<KnownInvalidConfiguration> known(JsonNode stored) {
    try {
      return Optional.of(KnownInvalidResource.parse(stored));
    } catch (IllegalArgumentException e) {
      // The webhook ignores it, too, and logs it.
      return Optional.empty();
    }
  }

  /**
   * Reads a cluster's objects once.
   *
   * @throws dev.shipshape.service.StartFailure if a list cannot be read or an object not be judged
   */
  public void read(KubernetesClient client) {
    if (kinds.guards().stream().anyMatch(guard -> guard.revisions() != null)) {
      Reflector.list(client, NODES, node -> webhook.addNode(node.tree()));
    }
    Reflector.list(
        client,
        KnownInvalidClient.PATH,
        object -> webhook.addKnownInvalid((ObjectNode) object.tree()));
    for (var guard : kinds.guards()) {
      if (guard.isWatched()) {
        Reflector.list(
            client, guard.resource().path(), object -> webhook.add(guard, object.tree()));
      }
    }
  }
}
