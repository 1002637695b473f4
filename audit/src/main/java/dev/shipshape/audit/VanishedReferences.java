package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds claims, ConfigMaps and Secrets that were deleted while a pod that had not started needed
 * them. It reports those for which the pod still waits at the log's end, and claims that were
 * created again, because their data is lost.
 */
final class VanishedReferences implements Detector {
  private static final int PODS = 20_000;
  private static final int FOUND = 1000;
  private static final int EVIDENCE = 3;
  private static final String CLAIMS = "persistentvolumeclaims";
  private static final Set<String> NEEDED = Set.of(CLAIMS, "configmaps", "secrets");

  /**
   * A pod that has not started.
   *
   * @param needs paths of objects
   */
  private record Pod(String path, AuditEvent first, Set<String> needs) {}

  /** A deleted object that a waiting pod needed. */
  private record Loss(AuditEvent deletion, AuditEvent pod, List<AuditEvent> evidence) {
    boolean isLost() {
      return deletion.object().resource().equals(CLAIMS) && evidence.size() == EVIDENCE;
    }
  }

  /** The paths of a pod and of what it needs. */
  private record Key(String pod, String needed) {}

  private final Bounded<String, Pod> waiting = new Bounded<>(PODS, this::endWaiting);

  /** The waiting pods by what they need, then by their paths. */
  private final Map<String, Map<String, Pod>> needing = new HashMap<>();

  /** Deletions of referenced kinds, until the object is created again. */
  private final Bounded<String, AuditEvent> deleted = new Bounded<>(PODS);

  /** Claims that are no more, until they are created again. */
  private final Set<String> gone = Collections.newSetFromMap(new Bounded<>(PODS));

  private final Set<String> endingNamespaces = Collections.newSetFromMap(new Bounded<>(PODS));
  private final Map<Key, Loss> found = new LinkedHashMap<>();

  @Override
  public void add(AuditEvent event, JsonNode response) {
    var object = event.object();
    if (!event.succeeded() || event.dryRun()) {
      return;
    }
    var path = object.path();
    if (object.resource().equals("namespaces") && event.verb().equals("delete")) {
      endingNamespaces.add(object.name());
    } else if (object.resource().equals("namespaces") && event.creates()) {
      endingNamespaces.remove(object.name());
    } else if (event.verb().equals("deletecollection")) {
      for (var item : response.path("items")) {
        object(path + "/" + item.path("metadata").path("name").asText(), event, item);
      }
    } else {
      object(path, event, response);
    }
  }

  private void object(String path, AuditEvent event, JsonNode body) {
    var object = event.object();
    if (object.resource().equals("pods")) {
      pod(path, event, body);
    } else if (NEEDED.contains(object.resource()) && object.group().isEmpty()) {
      if (event.gone() && object.resource().equals(CLAIMS)) {
        gone.add(path);
      }
      if (event.verb().startsWith("delete")) {
        deleted.put(path, event);
        needing.getOrDefault(path, Map.of()).values().forEach(pod -> lost(path, event, pod));
      } else if (event.creates()) {
        deleted.remove(path);
        gone.remove(path);
        found.forEach((key, loss) -> again(key, path, event, loss));
      }
    }
  }

  private void pod(String path, AuditEvent event, JsonNode body) {
    var isPod = body.path("kind").asText().equals("Pod");
    // A status that the log does not have may be that of a pod that has started.
    if (event.verb().startsWith("delete")
        || event.object().subresource().equals("eviction")
        || (event.object().subresource().equals("status") && event.mutates() && !isPod)
        || body.path("metadata").has("deletionTimestamp")) {
      Optional.ofNullable(waiting.remove(path)).ifPresent(this::endWaiting);
      found.keySet().removeIf(key -> key.pod().equals(path));
      return;
    }
    if (!isPod) {
      return;
    }
    var phase = body.path("status").path("phase").asText("Pending");
    if (!phase.equals("Pending")) {
      Optional.ofNullable(waiting.remove(path)).ifPresent(this::endWaiting);
      found.entrySet().removeIf(its -> its.getKey().pod().equals(path) && !its.getValue().isLost());
      return;
    }
    var known = waiting.get(path);
    if (known == null) {
      var namespace = event.object().namespace();
      var pod = new Pod(path, event, needs(namespace, body.path("spec")));
      waiting.put(path, pod);
      for (var needed : pod.needs()) {
        needing.computeIfAbsent(needed, _ -> new LinkedHashMap<>()).put(path, pod);
        var deletion = deleted.get(needed);
        if (deletion != null && !(event.creates() && gone.contains(needed))) {
          lost(needed, deletion, pod);
        }
      }
    }
  }

  private void endWaiting(Pod pod) {
    pod.needs()
        .forEach(
            needed ->
                needing.computeIfPresent(
                    needed,
                    (_, pods) -> pods.remove(pod.path()) != null && pods.isEmpty() ? null : pods));
  }

  private void lost(String needed, AuditEvent deletion, Pod pod) {
    if (found.size() < FOUND && !endingNamespaces.contains(deletion.object().namespace())) {
      var evidence = new ArrayList<>(List.of(deletion, pod.first()));
      evidence.sort(Comparator.comparingLong(AuditEvent::received));
      found.putIfAbsent(new Key(pod.path(), needed), new Loss(deletion, pod.first(), evidence));
    }
  }

  private static void again(Key key, String needed, AuditEvent creation, Loss loss) {
    if (key.needed().equals(needed) && loss.evidence().size() < EVIDENCE) {
      loss.evidence().add(creation);
    }
  }

  /** Returns the objects that a pod needs to start. */
  private static Set<String> needs(String namespace, JsonNode spec) {
    var needs = new HashSet<String>();
    addNeeds(namespace, spec, needs);
    return needs;
  }

  /** References have the same form in volumes, variables and projections. */
  private static void addNeeds(String namespace, JsonNode node, Set<String> needs) {
    node.properties()
        .forEach(
            field -> {
              var value = field.getValue();
              var resource =
                  switch (field.getKey()) {
                    case "persistentVolumeClaim" -> CLAIMS;
                    case "configMap", "configMapRef", "configMapKeyRef" -> "configmaps";
                    case "secret", "secretRef", "secretKeyRef" -> "secrets";
                    default -> "";
                  };
              if (resource.isEmpty()) {
                addNeeds(namespace, value, needs);
              } else if (!value.path("optional").asBoolean()) {
                var name = value.path("claimName").asText(value.path("name").asText());
                needs.add(
                    "%s/%s/%s"
                        .formatted(resource, namespace, value.path("secretName").asText(name)));
              }
            });
    if (node.isArray()) {
      node.forEach(item -> addNeeds(namespace, item, needs));
    }
  }

  @Override
  public List<Race> races() {
    return found.entrySet().stream()
        .map(each -> race(each.getKey().needed(), each.getValue()))
        .toList();
  }

  private static Race race(String needed, Loss loss) {
    var again = loss.evidence().size() > 2;
    var path = needed.split("/", -1);
    return new Race(
        Race.Kind.VANISHED,
        new ObjectRef("", path[0], "", path[1], path[2]),
        List.of(loss.deletion().actor(), loss.pod().actor()),
        "%s was deleted%s while %s needed it, which had not started"
            .formatted(needed, again ? " and created again" : "", loss.pod().object().path()),
        loss.evidence());
  }
}
