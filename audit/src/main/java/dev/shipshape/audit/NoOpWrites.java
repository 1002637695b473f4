package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds writes that changed nothing, by actor and object. */
final class NoOpWrites implements Detector {
  private static final int EVIDENCE = 3;

  private record Key(String actor, ObjectRef kind) {}

  private static final class Count {
    private final List<AuditEvent> evidence = new ArrayList<>();
    private int writes;
    private int noOps;
  }

  private final NoOps noOps = new NoOps();
  private final Map<Key, Count> counts = new LinkedHashMap<>();

  @Override
  public void add(AuditEvent event, JsonNode response) {
    var noOp = noOps.isNoOp(event);
    if (!event.asked()) {
      return;
    }
    var object = event.object();
    var kind = new ObjectRef(object.group(), object.resource(), object.subresource(), "", "");
    var count = counts.computeIfAbsent(new Key(event.actor(), kind), _ -> new Count());
    count.writes++;
    if (noOp) {
      count.noOps++;
      if (count.evidence.size() < EVIDENCE) {
        count.evidence.add(event);
      }
    }
  }

  @Override
  public List<Race> races() {
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue().noOps > 0)
        .map(entry -> race(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Race race(Key key, Count count) {
    var resource = key.kind().groupResource();
    var subresource = key.kind().subresource();
    return new Race(
        Race.Kind.NO_OP,
        key.kind(),
        List.of(key.actor()),
        "%d of %d writes of %s%s changed nothing"
            .formatted(
                count.noOps,
                count.writes,
                resource,
                subresource.isEmpty() ? "" : "/" + subresource),
        count.evidence);
  }
}
