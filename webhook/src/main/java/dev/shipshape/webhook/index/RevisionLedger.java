package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.RevisionLink;
import dev.shipshape.webhook.guard.Standing;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Which revision is the newest valid one, the one that a rollout goes back to. */
public final class RevisionLedger implements Onlooker {
  private record Revision(long created, String name, String uid, String value, boolean invalid) {}

  /** By the name of the revisions' guard. */
  private final Map<String, RevisionLink> links;

  private final Map<String, Map<String, Revision>> revisions = new ConcurrentHashMap<>();

  /** Keeps the revisions that objects of these guards are linked to. */
  public RevisionLedger(Collection<Guard> guards) {
    links =
        guards.stream()
            .map(Guard::revisions)
            .filter(Objects::nonNull)
            .collect(Collectors.toUnmodifiableMap(RevisionLink::guard, link -> link, (a, b) -> a));
  }

  /**
   * Whether the object says that it was made from the newest valid revision: it names its value and
   * is owned by it. That tells an operator's writes from its earlier ones, and no more: whoever may
   * update the object may copy both.
   *
   * @param value the object's, of the field that the link names
   * @param head the object, or its metadata alone
   */
  public boolean isOfNewestValid(RevisionLink link, String value, JsonNode head) {
    return newestValid(link.guard())
        .filter(newest -> !newest.value().isEmpty() && newest.value().equals(value))
        .filter(newest -> owns(newest, head))
        .isPresent();
  }

  private Optional<Revision> newestValid(String guard) {
    return revisions.getOrDefault(guard, Map.of()).values().stream()
        .filter(revision -> !revision.invalid())
        .max(Comparator.comparingLong(Revision::created).thenComparing(Revision::name));
  }

  private static boolean owns(Revision revision, JsonNode object) {
    for (var owner : object.path("metadata").path("ownerReferences")) {
      if (owner.path("uid").asText().equals(revision.uid())
          && owner.path("name").asText().equals(revision.name())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void seen(Guard guard, JsonNode object, IndexedObject known) {
    var link = links.get(guard.name());
    if (link != null) {
      var metadata = object.path("metadata");
      var revision =
          new Revision(
              WrittenAt.seconds(metadata.path("creationTimestamp").asText()),
              known.name(),
              metadata.path("uid").asText(),
              link.of(object),
              known.standing() == Standing.INVALID);
      revisions
          .computeIfAbsent(guard.name(), name -> new ConcurrentHashMap<>())
          .put(known.key(), revision);
    }
  }

  @Override
  public void gone(Guard guard, String key) {
    revisions.computeIfPresent(
        guard.name(),
        (name, of) -> {
          of.remove(key);
          return of;
        });
  }
}
