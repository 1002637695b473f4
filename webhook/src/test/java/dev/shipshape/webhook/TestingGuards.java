package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.StoreLimits;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.Guards;
import dev.shipshape.webhook.index.KnownInvalidIndex;
import dev.shipshape.webhook.index.LastKnownGood;
import dev.shipshape.webhook.index.ObjectIndexer;
import dev.shipshape.webhook.store.KnownInvalidStore;
import dev.shipshape.webhook.validation.KnownInvalidLookup;
import dev.shipshape.webhook.validation.RollbackExemptions;
import dev.shipshape.webhook.validation.ValidationHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The NodeConfig guard with an index that a test fills by hand. */
public final class TestingGuards implements GuardIndex {
  private final Guard guard;
  private final KnownInvalidIndex index = new KnownInvalidIndex();
  private final List<JsonNode> remembered = new ArrayList<>();
  private boolean synced = true;

  public TestingGuards() {
    this(GuardReader.preset("nodeconfig").getFirst());
  }

  public TestingGuards(Guard guard) {
    this.guard = guard;
  }

  /** The decisions by this index, and by what the store has learned from it. */
  public ValidationHandler decider(Scope scope) {
    return decider(scope, store());
  }

  public ValidationHandler decider(Scope scope, KnownInvalidStore store) {
    return new ValidationHandler(
        guards(),
        new KnownInvalidLookup(scope, store),
        new RollbackExemptions(new LastKnownGood(List.of(guard)), Map.of()),
        "shipshape-override");
  }

  /** What is left of the objects that are to be remembered. */
  public KnownInvalidStore store() {
    var store = new KnownInvalidStore(StoreLimits.DEFAULT);
    remembered.forEach(object -> store.seen(guard, object, ObjectIndexer.of(guard, object)));
    return store;
  }

  public Guards guards() {
    return new Guards(List.of(this));
  }

  public TestingGuards holding(String... objects) {
    for (var object : objects) {
      index.put(ObjectIndexer.of(guard, json(object)));
    }
    return this;
  }

  /** Objects that were seen, and are gone. */
  public TestingGuards remembering(String... objects) {
    for (var object : objects) {
      remembered.add(json(object));
    }
    return this;
  }

  public TestingGuards notSynced() {
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
  public Optional<String> unavailableReason() {
    return synced ? Optional.empty() : Optional.of("not listed yet");
  }

  @Override
  public Duration staleness() {
    return synced ? Duration.ZERO : Duration.ofSeconds(312);
  }
}
