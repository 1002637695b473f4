package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds names that were created again before the objects that the former one owned were gone.
 * Ownership is by ownerReferences, through any number of objects.
 */
final class Recreations implements Detector {
  private static final int OBJECTS = 20_000;
  private static final int FOUND = 1000;
  private static final int EVIDENCE = 4;

  /** The object with one uid. */
  private static final class Life {
    private final ObjectRef object;
    private final String uid;
    private final Set<String> owners = new HashSet<>();
    private String made = "";
    private boolean owned;

    /** Whether an eviction does not remove it at once. */
    private boolean outlivesEviction;

    private @Nullable AuditEvent creation;
    private @Nullable Life former;
    private @Nullable AuditEvent deletion;
    private @Nullable AuditEvent end;

    Life(ObjectRef object, String uid) {
      this.object = object;
      this.uid = uid;
    }
  }

  /**
   * A name that was created again too early.
   *
   * @param former null if it is not in the log
   */
  private record Recreation(
      @Nullable Life former, AuditEvent creation, List<Life> leftOver, Set<AuditEvent> takeOvers) {
    /** A creation may wait in admission while objects go that were there when it arrived. */
    boolean isRace() {
      return !takeOvers.isEmpty() || !stillThere().isEmpty();
    }

    List<Life> stillThere() {
      return leftOver.stream()
          .filter(life -> life.end == null || life.end.staged() > creation.staged())
          .toList();
    }
  }

  private final Map<String, Life> lives = new Bounded<>(OBJECTS, this::forget);
  private final Map<String, Life> current = new Bounded<>(OBJECTS);
  private final Map<String, Set<Life>> dependents = new Bounded<>(OBJECTS);
  private final List<Recreation> found = new ArrayList<>();

  /** How many objects were created again whose predecessors the log does not show completely. */
  int unknown;

  /** How many objects that an owner had were forgotten before the log showed their end. */
  int dropped;

  @Override
  public void add(AuditEvent event, JsonNode response) {
    if (!event.succeeded() || event.dryRun()) {
      return;
    }
    var known = current.get(event.object().path());
    if (known != null
        && ((response.isMissingNode() && event.verb().equals("delete"))
            || (event.object().subresource().equals("eviction") && !known.outlivesEviction))) {
      // Without a body it is unknown whether it is gone: assume so, to report no false race.
      ended(event, known);
    } else if (known != null && event.object().subresource().equals("binding")) {
      known.outlivesEviction = true;
    }
    if (event.verb().equals("deletecollection")) {
      response.path("items").forEach(item -> object(event, item));
    } else if (response.path("kind").asText().equals("Status")) {
      if (event.verb().equals("delete")) {
        var life = life(event.object(), event.uid());
        current.put(event.object().path(), life);
        ended(event, life);
      }
    } else if (!event.object().subresource().equals("scale")
        && response.path("metadata").path("uid").isTextual()) {
      // A Scale has the uid of its object, and says nothing of owners.
      object(event, response);
    }
  }

  private void object(AuditEvent event, JsonNode body) {
    var metadata = body.path("metadata");
    var name = metadata.path("name").asText();
    var of = event.object();
    var object = new ObjectRef(of.group(), of.resource(), "", of.namespace(), name);
    var life = life(object, metadata.path("uid").asText());
    life.made = metadata.path("creationTimestamp").asText();
    own(event, life, metadata.path("ownerReferences"));
    if (event.creates()) {
      created(event, life);
    } else {
      current.put(object.path(), life);
    }
    if (event.verb().startsWith("delete") && life.deletion == null) {
      life.deletion = event;
    }
    var held = !metadata.path("finalizers").isEmpty();
    if (body.has("spec")) {
      life.outlivesEviction = held || isEndedByItsKubelet(body);
    }
    var waits =
        held
            || metadata.path("deletionGracePeriodSeconds").asLong() > 0
            || (event.verb().equals("deletecollection")
                && !event.uri().contains("gracePeriodSeconds=0")
                && isEndedByItsKubelet(body));
    var marked = metadata.has("deletionTimestamp") || event.verb().startsWith("delete");
    if (marked && !waits) {
      ended(event, life);
    }
  }

  /** A pod of a deleted collection: the answer shows it as it was before. */
  private static boolean isEndedByItsKubelet(JsonNode pod) {
    return pod.path("spec").hasNonNull("nodeName")
        && pod.at("/spec/terminationGracePeriodSeconds").asLong() > 0
        && !pod.at("/status/phase").asText().matches("Succeeded|Failed");
  }

  private Life life(ObjectRef object, String uid) {
    return lives.computeIfAbsent(uid.isEmpty() ? object.path() : uid, key -> new Life(object, key));
  }

  /** What its owners had would grow with the log, and would never be seen to end. */
  private void forget(Life oldest) {
    dropped += oldest.end == null && !oldest.owners.isEmpty() ? 1 : 0;
    oldest.owners.forEach(owner -> dependents.getOrDefault(owner, new HashSet<>()).remove(oldest));
  }

  private static void ended(AuditEvent event, Life life) {
    if (life.deletion == null) {
      life.deletion = event;
    }
    if (life.end == null) {
      life.end = event;
    }
  }

  private void created(AuditEvent event, Life life) {
    var former = current.put(life.object.path(), life);
    life.creation = event;
    life.former = former;
    if (former != null) {
      // A chain of all lives of a name would grow with the log.
      former.former = null;
    }
    // If the owner was itself created too early, this is a consequence.
    var follows = found.stream().anyMatch(each -> life.owners.contains(each.creation().uid()));
    if (former == null || former == life || follows) {
      return;
    }
    // An object that is older than the log may own objects that the log does not show.
    unknown += former.creation == null ? 1 : 0;
    var leftOver = living(former);
    if (!leftOver.isEmpty() && found.size() < FOUND) {
      found.add(new Recreation(former, event, leftOver, new LinkedHashSet<>()));
    }
  }

  /** Returns the objects that it owns, directly or not, and that are not gone. */
  private List<Life> living(Life owner) {
    // Ownership may be circular, and its chain longer than the stack.
    var seen = new LinkedHashSet<Life>();
    var owners = new ArrayDeque<>(List.of(owner));
    while (!owners.isEmpty()) {
      for (var dependent : dependents.getOrDefault(owners.remove().uid, Set.of())) {
        if (seen.add(dependent)) {
          owners.add(dependent);
        }
      }
    }
    seen.removeIf(life -> life.end != null);
    return new ArrayList<>(seen);
  }

  /** Notes an object that gets another owner while one of its former owners was created again. */
  private void own(AuditEvent event, Life life, JsonNode owners) {
    var now = Set.copyOf(owners.findValuesAsText("uid"));
    life.owners.stream()
        .filter(owner -> !now.contains(owner))
        .forEach(owner -> dependents.getOrDefault(owner, new HashSet<>()).remove(life));
    life.owners.retainAll(now);
    for (var reference : owners) {
      var owner = reference.path("uid").asText();
      if (life.owners.add(owner)) {
        dependents.computeIfAbsent(owner, _ -> new LinkedHashSet<>()).add(life);
        found.stream()
            .filter(each -> each.creation().uid().equals(owner) && each.leftOver().contains(life))
            .filter(each -> each.takeOvers().size() < EVIDENCE)
            .forEach(each -> each.takeOvers().add(event));
        // What the log shows to be made without an owner has no predecessor's.
        if (reference.path("controller").asBoolean() && (life.owned || life.creation == null)) {
          adopted(event, life, lives.get(owner));
        }
      }
    }
    life.owned |= !now.isEmpty();
  }

  /** An object that is older than its controller was created by another one. */
  private void adopted(AuditEvent event, Life life, @Nullable Life owner) {
    var creation = owner == null ? null : owner.creation;
    if (owner == null
        || creation == null
        || life.made.isEmpty()
        || life.made.compareTo(owner.made) >= 0) {
      return;
    }
    var known = found.stream().filter(each -> each.creation().equals(creation)).findFirst();
    if (known.isEmpty() && found.size() < FOUND) {
      var takeOvers = new LinkedHashSet<>(List.of(event));
      found.add(new Recreation(owner.former, creation, new ArrayList<>(List.of(life)), takeOvers));
    } else if (known.isPresent()
        && known.get().leftOver().size() < OBJECTS
        && !known.get().leftOver().contains(life)) {
      known.get().leftOver().add(life);
      known.get().takeOvers().add(event);
    }
  }

  @Override
  public List<Race> races() {
    return found.stream().filter(Recreation::isRace).map(Recreations::race).toList();
  }

  private static Race race(Recreation each) {
    var evidence = new ArrayList<AuditEvent>();
    var former = each.former();
    if (former != null && former.deletion != null) {
      evidence.add(former.deletion);
    }
    evidence.add(each.creation());
    each.takeOvers().stream().limit(EVIDENCE).forEach(evidence::add);
    each.leftOver().stream()
        .map(life -> life.end)
        .filter(end -> end != null && !evidence.contains(end))
        .limit(EVIDENCE)
        .forEach(evidence::add);
    var actors = new LinkedHashSet<String>();
    evidence.stream().limit(2).forEach(event -> actors.add(event.actor()));
    return new Race(
        each.takeOvers().isEmpty() ? Race.Kind.RECREATED : Race.Kind.TAKE_OVER,
        each.creation().object(),
        List.copyOf(actors),
        summary(each),
        evidence);
  }

  private static String summary(Recreation each) {
    var leftOver = each.stillThere().isEmpty() ? each.leftOver() : each.stillThere();
    var first = leftOver.getFirst().object.path();
    var pods = leftOver.stream().filter(life -> life.object.resource().equals("pods")).count();
    var former = each.former();
    return "%s was created%s while %d objects %s still existed%s%s: %s%s"
        .formatted(
            each.creation().object().path(),
            former == null ? "" : " again",
            leftOver.size(),
            former == null
                ? "without a known owner"
                : "of its predecessor (uid %s)".formatted(former.uid),
            pods == 0 ? "" : ", %d of them pods".formatted(pods),
            each.takeOvers().isEmpty() ? "" : ", and took some over",
            first,
            leftOver.size() > 1 ? " and others" : "");
  }
}
