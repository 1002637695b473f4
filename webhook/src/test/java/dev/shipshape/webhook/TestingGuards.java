package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.StoreLimits;
import dev.shipshape.webhook.index.ObjectFeed;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.validation.RollbackExemptions;
import dev.shipshape.webhook.validation.ValidationHandler;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The NodeConfig guard, with objects that a test gives it. */
public final class TestingGuards {
  private final Guard guard;
  private final List<JsonNode> held = new ArrayList<>();
  private final List<JsonNode> remembered = new ArrayList<>();
  private final List<JsonNode> untried = new ArrayList<>();
  private boolean synced = true;

  public TestingGuards() {
    this(GuardReader.preset("nodeconfig").getFirst());
  }

  public TestingGuards(Guard guard) {
    this.guard = guard;
  }

  /** The decisions by the objects given so far, and by what was learned from them. */
  public ValidationHandler decider(Scope scope) {
    var known = new KnownInvalid(List.of(guard), scope, StoreLimits.DEFAULT.rewriteInterval());
    var revisions = new Revisions(List.of(guard), node -> Optional.empty(), each -> true);
    var feed = new ObjectFeed(known, revisions, Clock.systemUTC());
    for (var object : remembered) {
      feed.delete(guard, feed.update(guard, object).key());
    }
    held.forEach(object -> tried(feed, object));
    held.forEach(object -> feed.update(guard, object));
    untried.forEach(object -> feed.update(guard, object));
    return new ValidationHandler(
        guards(),
        known,
        of -> synced ? Optional.empty() : Optional.of("not listed yet"),
        new RollbackExemptions(known, each -> false),
        "shipshape-override",
        Set.of("a-dry-runner"));
  }

  /** A record counts if its node's object has had what it says. */
  private void tried(ObjectFeed feed, JsonNode object) {
    if (guard.roleOf(object) instanceof Role.InvalidRecord(var node)) {
      ObjectNode own = object.deepCopy();
      own.withObject("metadata").put("name", node).remove("ownerReferences");
      feed.update(guard, own);
      feed.update(guard, object);
      feed.delete(guard, node);
    }
  }

  public Guard guard() {
    return guard;
  }

  public Map<String, Guard> guards() {
    return Guard.byResource(List.of(guard));
  }

  public TestingGuards holding(String... objects) {
    for (var object : objects) {
      held.add(json(object));
    }
    return this;
  }

  /** Records of what their nodes' objects never had. */
  public TestingGuards suspecting(String... objects) {
    for (var object : objects) {
      untried.add(json(object));
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
}
