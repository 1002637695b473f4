package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.GuardReader;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.KnownInvalidIndex;
import dev.shipshape.webhook.index.Projection;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.index.WorkedLedger;
import dev.shipshape.webhook.memory.Memory;
import dev.shipshape.webhook.memory.MemoryLimits;
import dev.shipshape.webhook.memory.MemoryService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The NodeConfig guard with an index that a test fills by hand. */
final class TestingGuards implements GuardIndex {
  private final Guard guard;
  private final KnownInvalidIndex index = new KnownInvalidIndex();
  private final List<JsonNode> remembered = new ArrayList<>();
  private boolean synced = true;

  TestingGuards() {
    this(GuardReader.preset("nodeconfig").getFirst());
  }

  TestingGuards(Guard guard) {
    this.guard = guard;
  }

  /** The decisions by this index, and by what the memory has learned from it. */
  ValidationDecider decider(Scope scope) {
    return decider(scope, memory());
  }

  ValidationDecider decider(Scope scope, Memory memory) {
    return new ValidationDecider(
        guards(),
        new KnownInvalid(scope, memory),
        new Restorations(
            guards(),
            new Revisions(List.of(guard), node -> Optional.empty()),
            new WorkedLedger(List.of(guard)),
            Map.of()),
        "shipshape-override");
  }

  /** What is left of the objects that are to be remembered. */
  Memory memory() {
    var memory =
        new MemoryService(
                new MemoryLimits(1000, Duration.ofDays(30)),
                () -> false,
                InstantSource.system(),
                new SimpleMeterRegistry())
            .memory();
    remembered.forEach(object -> memory.seen(guard, object, Projection.of(guard, object)));
    return memory;
  }

  Guards guards() {
    return new Guards(List.of(this));
  }

  TestingGuards holding(String... objects) {
    for (var object : objects) {
      index.put(Projection.of(guard, json(object)));
    }
    return this;
  }

  /** Objects that were seen, and are gone. */
  TestingGuards remembering(String... objects) {
    for (var object : objects) {
      remembered.add(json(object));
    }
    return this;
  }

  TestingGuards notSynced() {
    synced = false;
    return this;
  }

  @Override
  public Guard guard() {
    return guard;
  }

  @Override
  public KnownInvalidIndex index() {
    return index;
  }

  @Override
  public Optional<String> unusable() {
    return synced ? Optional.empty() : Optional.of("not listed yet");
  }

  @Override
  public Duration staleness() {
    return synced ? Duration.ZERO : Duration.ofSeconds(312);
  }
}
