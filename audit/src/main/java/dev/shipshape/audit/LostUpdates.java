package dev.shipshape.audit;

import static java.net.HttpURLConnection.HTTP_CONFLICT;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Finds writes that were refused with 409, and the writes that won. */
final class LostUpdates implements Detector {
  private static final int OBJECTS = 10_000;

  /** How many concurrent requests are compared with the refused one. */
  private static final int CANDIDATES = 10;

  private static final int CONFLICTS = 5000;
  private static final int EVIDENCE = 6;

  private record Key(String path, String loser, String winner) {}

  private static final class Conflicts {
    private final ObjectRef object;
    private final List<AuditEvent> evidence = new ArrayList<>();
    private int count;

    Conflicts(ObjectRef object) {
      this.object = object;
    }
  }

  private final Bounded<String, List<AuditEvent>> lastWrites = new Bounded<>(OBJECTS);
  private final Queue<AuditEvent> open =
      new PriorityQueue<>(Comparator.comparingLong(AuditEvent::staged));
  private final Map<Key, Conflicts> found = new LinkedHashMap<>();

  @Override
  public void add(AuditEvent event, JsonNode response) {
    // Whatever won against these has arrived by now, though perhaps after them.
    settle(event.received());
    var path = event.object().path();
    if (event.succeeded() && !event.dryRun()) {
      var writes = lastWrites.computeIfAbsent(path, _ -> new ArrayList<>());
      writes.add(event);
      if (writes.size() > CANDIDATES) {
        writes.removeFirst();
      }
    } else if (event.code() == HTTP_CONFLICT && !event.verb().equals("create") && !event.dryRun()) {
      open.add(event);
    }
  }

  /** Finds the winners against those that were refused before this time. */
  private void settle(long time) {
    while (!open.isEmpty() && (open.element().staged() < time || open.size() > CONFLICTS)) {
      var loser = open.remove();
      var path = loser.object().path();
      lost(loser, path, winner(loser, lastWrites.getOrDefault(path, List.of())));
    }
  }

  /** Returns the write that ended last before the other one was refused. */
  private static @Nullable AuditEvent winner(AuditEvent loser, List<AuditEvent> writes) {
    return writes.stream()
        .filter(write -> write.staged() <= loser.staged())
        .max(Comparator.comparingLong(AuditEvent::staged))
        .orElse(null);
  }

  private void lost(AuditEvent loser, String path, @Nullable AuditEvent winner) {
    var key = new Key(path, loser.actor(), winner == null ? "" : winner.actor());
    if (found.size() >= CONFLICTS && !found.containsKey(key)) {
      return;
    }
    var conflicts = found.computeIfAbsent(key, _ -> new Conflicts(loser.object()));
    conflicts.count++;
    if (conflicts.evidence.size() < EVIDENCE) {
      if (winner != null && !conflicts.evidence.contains(winner)) {
        conflicts.evidence.add(winner);
      }
      conflicts.evidence.add(loser);
    }
  }

  @Override
  public List<Race> races() {
    settle(Long.MAX_VALUE);
    return found.entrySet().stream().map(entry -> race(entry.getKey(), entry.getValue())).toList();
  }

  private static Race race(Key key, Conflicts conflicts) {
    var known = !key.winner().isEmpty();
    return new Race(
        Race.Kind.LOST_UPDATE,
        conflicts.object,
        known ? List.of(key.loser(), key.winner()) : List.of(key.loser()),
        "writes by %s refused with 409: %d; the write before %s"
            .formatted(
                key.loser(),
                conflicts.count,
                known ? "was by " + key.winner() : "is not in the log"),
        conflicts.evidence);
  }
}
