package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;

import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.GuardReader;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.KnownInvalidIndex;
import dev.shipshape.webhook.index.Projection;
import java.util.List;
import java.util.Optional;

/** The NodeConfig guard with an index that a test fills by hand. */
final class TestingGuards implements GuardIndex {
  private final Guard guard;
  private final KnownInvalidIndex index = new KnownInvalidIndex();
  private boolean synced = true;

  TestingGuards() {
    this(GuardReader.preset("nodeconfig").getFirst());
  }

  TestingGuards(Guard guard) {
    this.guard = guard;
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
}
