package dev.shipshape.bench;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.guard.GuardReader;
import dev.shipshape.webhook.index.KnownInvalidIndex;
import dev.shipshape.webhook.index.Projection;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;

/** The heap that known-invalid configurations take, each with its object's name and story. */
final class IndexMemory {
  private static final double TARGET_BYTES = 100;
  private static final int COLLECTIONS = 4;

  private IndexMemory() {}

  static Figure measure(int entries) {
    // Once before, so that classes and what they keep are not counted.
    fill(new KnownInvalidIndex(), 1);
    var index = new KnownInvalidIndex();
    try {
      var before = used();
      fill(index, entries);
      return Figure.atMost(
          TARGET_BYTES,
          "heap a known-invalid entry, of 100,000",
          (double) (used() - before) / entries,
          "bytes");
    } finally {
      Reference.reachabilityFence(index);
    }
  }

  private static void fill(KnownInvalidIndex index, int entries) {
    var guard = GuardReader.preset("nodeconfig").getFirst();
    var mapper = new JsonMapper();
    for (var number = 0; number < entries; number++) {
      ObjectNode object =
          mapper.valueToTree(Reviews.nodeConfig("worker-" + number, Reviews.spec(1, number + 1)));
      written(object);
      index.put(Projection.of(guard, object));
    }
    if (index.invalidSize() != entries) {
      throw new IllegalStateException("not all are known: " + index.invalidSize());
    }
  }

  /** As an API server stores it once its operator has called it invalid. */
  private static void written(ObjectNode object) {
    object.putObject("status").put("configStatus", "invalid");
    var metadata = object.withObject("metadata");
    metadata.put("creationTimestamp", "2026-11-21T10:00:00Z").put("generation", 1);
    metadata
        .putArray("managedFields")
        .addObject()
        .put("manager", "network-operator")
        .put("subresource", "status")
        .put("time", "2026-11-21T10:00:05Z")
        .putObject("fieldsV1")
        .putObject("f:status");
  }

  private static long used() {
    // Only every fourth one moves all that is left together; others leave what is dead in between.
    for (var collection = 0; collection < COLLECTIONS; collection++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
