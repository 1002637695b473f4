package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds fields that one writer sets and another one sets back. */
final class FieldFights implements Detector {
  /** The holder of a Lease changes back and forth, too; Events are many, each of one writer. */
  private static final Set<String> UNSHARED = Set.of("leases", "events");

  /** What of it is used is counted by the API server and by a controller. */
  private static final String QUOTAS = "resourcequotas";

  private static final int OBJECTS = 5000;
  private static final int FIELDS = 100;
  private static final int FIGHTS = 1000;

  /** The limit of all kept bodies and changes, in characters. */
  private static final long MEMORY = 24 << 20;

  /** What a change counts: mostly the event that made it. */
  private static final long CHANGE = 500;

  /** Longer values are kept as their beginning and a hash. */
  private static final int MAX_VALUE = 200;

  private static final int EVIDENCE = 6;

  private static final Pattern HASH =
      Pattern.compile("metadata\\.annotations\\.'shipshape\\.dev/[a-z-]+-hash'");

  private record LastChange(ObjectFields.Change change, AuditEvent event) {}

  /** The newest version of an object and its last changes. */
  private final class State {
    private final Map<String, LastChange> lastChanges = new Bounded<>(FIELDS, _ -> dropped++);
    private String body = "";
    private String version = "";

    long size() {
      return body.length() + CHANGE * lastChanges.size();
    }
  }

  private record Key(String uid, List<String> actors) {}

  private static final class Fight {
    private final ObjectRef object;
    private final List<String> actors;
    private final List<AuditEvent> evidence = new ArrayList<>();
    private final Set<String> fields = new LinkedHashSet<>();
    private int setBack;
    private @Nullable AuditEvent last;

    Fight(ObjectRef object, List<String> actors) {
      this.object = object;
      this.actors = actors;
    }

    /** A status changes back and forth by its nature: Ready, not ready, Ready. */
    boolean isStatus() {
      return fields.stream().allMatch(field -> field.startsWith("status."));
    }
  }

  /** By path, then by uid and form: a Scale, metadata or another version has other fields. */
  private final LinkedHashMap<String, Map<String, State>> objects =
      new LinkedHashMap<>(16, 0.75f, true);

  private long characters;

  /** Objects and changes that were forgotten, so that a fight over them would not show. */
  int dropped;

  private final Map<Key, Fight> fights = new LinkedHashMap<>();

  @Override
  public void add(AuditEvent event, JsonNode response) {
    if (!event.succeeded() || event.dryRun() || UNSHARED.contains(event.object().resource())) {
      return;
    }
    if (event.gone() || event.uid().isEmpty() || event.version().isEmpty()) {
      // What is gone cannot be set back; what is new after an unknown write may be that one's.
      forget(event.object().path());
      return;
    }
    var forms = objects.computeIfAbsent(event.object().path(), _ -> new HashMap<>());
    var form = List.of(event.uid(), response.path("apiVersion"), response.path("kind"));
    var state = forms.computeIfAbsent(form.toString(), _ -> new State());
    characters -= state.size();
    if (!isNewer(event.version(), state.version)) {
      // It was overtaken, and its change was taken for a part of a later write's.
      state.lastChanges.values().removeIf(last -> isNewer(last.event().version(), event.version()));
    } else {
      if (!state.version.isEmpty()) {
        // The webhook's hashes change with the fields that a writer set.
        var changes =
            ObjectFields.changes(Json.tree(state.body), response).stream()
                .filter(change -> !HASH.matcher(change.path()).matches())
                .toList();
        // The first ones: all would push each other out before they are set back.
        changes.stream().limit(FIELDS).forEach(change -> changed(event, shortened(change), state));
        dropped += Math.max(0, changes.size() - FIELDS);
      }
      state.body = response.toString();
      state.version = event.version();
    }
    characters += state.size();
    while (characters > MEMORY || objects.size() > OBJECTS) {
      forget(objects.sequencedKeySet().getFirst());
      dropped++;
    }
  }

  private static boolean isNewer(String version, String than) {
    try {
      return than.isEmpty()
          ? Long.parseLong(version) > 0
          : Long.parseLong(version) > Long.parseLong(than);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private void forget(String path) {
    var forms = objects.remove(path);
    characters -= forms == null ? 0 : forms.values().stream().mapToLong(State::size).sum();
  }

  private static ObjectFields.Change shortened(ObjectFields.Change change) {
    return new ObjectFields.Change(
        change.path(), shortened(change.before()), shortened(change.after()));
  }

  private static @Nullable String shortened(@Nullable String value) {
    return value == null || value.length() <= MAX_VALUE
        ? value
        : value.substring(0, MAX_VALUE) + "..." + value.hashCode();
  }

  private void changed(AuditEvent event, ObjectFields.Change change, State state) {
    var last = state.lastChanges.put(change.path(), new LastChange(change, event));
    if (last == null || !isSetBack(last, change, event)) {
      return;
    }
    var key =
        new Key(
            event.uid(), List.of(last.event().actor(), event.actor()).stream().sorted().toList());
    if (fights.size() < FIGHTS || fights.containsKey(key)) {
      var fight =
          fights.computeIfAbsent(
              key, _ -> new Fight(event.object(), List.of(last.event().actor(), event.actor())));
      // One write may set back several fields.
      fight.setBack += event.equals(fight.last) ? 0 : 1;
      fight.last = event;
      fight.fields.add(change.path());
      add(last.event(), fight.evidence);
      add(event, fight.evidence);
    }
  }

  private static boolean isSetBack(LastChange last, ObjectFields.Change change, AuditEvent event) {
    return !last.event().actor().equals(event.actor())
        && Objects.equals(change.after(), last.change().before())
        && Objects.equals(change.before(), last.change().after());
  }

  private static void add(AuditEvent event, List<AuditEvent> evidence) {
    if (evidence.size() < EVIDENCE && !evidence.contains(event)) {
      evidence.add(event);
    }
  }

  @Override
  public List<Race> races() {
    return fights.values().stream()
        .filter(
            fight ->
                !fight.isStatus() || (fight.setBack > 1 && !fight.object.resource().equals(QUOTAS)))
        .map(FieldFights::race)
        .toList();
  }

  private static Race race(Fight fight) {
    return new Race(
        Race.Kind.FIGHT,
        fight.object,
        fight.actors,
        "%s%s was set by %s and set back by %s (set back %d times)"
            .formatted(
                fight.fields.iterator().next(),
                fight.fields.size() > 1 ? " (and %d more)".formatted(fight.fields.size() - 1) : "",
                fight.actors.getFirst(),
                fight.actors.getLast(),
                fight.setBack),
        fight.evidence);
  }
}
