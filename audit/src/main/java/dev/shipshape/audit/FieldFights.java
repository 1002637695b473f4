package dev.shipshape.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writers of whom one sets a field and another one sets it back. */
final class FieldFights implements Detector {
  /** Each is kept with all its fields. */
  private static final int OBJECTS = 2000;

  private static final int EVIDENCE = 6;

  private record LastChange(Fields.Change change, AuditEvent event) {}

  /** What is known of one object. */
  private static final class State {
    private final Map<String, LastChange> lastChanges = new HashMap<>();
    private Map<String, String> fields = Map.of();
    private String version = "";
  }

  private record Key(String path, String uid, String field) {}

  private static final class Fight {
    private final ObjectRef object;
    private final List<String> actors;
    private final List<AuditEvent> evidence = new ArrayList<>();
    private int setBack;

    Fight(ObjectRef object, List<String> actors) {
      this.object = object;
      this.actors = actors;
    }
  }

  private final Bounded<String, State> states = new Bounded<>(OBJECTS);
  private final Map<Key, Fight> fights = new LinkedHashMap<>();

  @Override
  public void add(AuditEvent event) {
    if (!event.succeeded()
        || event.isDryRun()
        || event.uid().isEmpty()
        || event.version().isEmpty()) {
      return;
    }
    var state = states.computeIfAbsent(event.uid(), _ -> new State());
    if (state.version.equals(event.version())) {
      return;
    }
    var fields = Fields.of(event.response());
    if (!state.version.isEmpty()) {
      var brief = event.withoutBodies();
      Fields.changes(state.fields, fields).forEach(change -> changed(brief, change, state));
    }
    state.fields = fields;
    state.version = event.version();
  }

  private void changed(AuditEvent event, Fields.Change change, State state) {
    var last = state.lastChanges.put(change.path(), new LastChange(change, event));
    if (last != null && isSetBack(last, change, event)) {
      var key = new Key(event.object().path(), event.uid(), change.path());
      var fight =
          fights.computeIfAbsent(
              key, _ -> new Fight(event.object(), List.of(last.event().actor(), event.actor())));
      fight.setBack++;
      add(last.event(), fight.evidence);
      add(event, fight.evidence);
    }
  }

  private static boolean isSetBack(LastChange last, Fields.Change change, AuditEvent event) {
    return !last.event().actor().equals(event.actor())
        && same(change.after(), last.change().before())
        && same(change.before(), last.change().after());
  }

  private static boolean same(@Nullable String one, @Nullable String other) {
    return Objects.equals(one, other);
  }

  private static void add(AuditEvent event, List<AuditEvent> evidence) {
    if (evidence.size() < EVIDENCE && !evidence.contains(event)) {
      evidence.add(event);
    }
  }

  @Override
  public List<Race> races() {
    return fights.entrySet().stream()
        .map(
            entry ->
                new Race(
                    Race.Kind.FIGHT,
                    entry.getValue().object,
                    entry.getValue().actors,
                    "%s was set by %s and set back by %s (set back %d times)"
                        .formatted(
                            entry.getKey().field(),
                            entry.getValue().actors.getFirst(),
                            entry.getValue().actors.getLast(),
                            entry.getValue().setBack),
                    entry.getValue().evidence))
        .toList();
  }
}
