package dev.shipshape.webhook.timeout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.Progress;
import dev.shipshape.webhook.guard.Progress.Stage;
import dev.shipshape.webhook.guard.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.index.WrittenAt;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A configuration that is on its way to its node, of which nobody says yet what became of it.
 *
 * @param key the object's
 * @param since the latest of the times that count: that of the status, where it says that it is on
 *     its way, and those at which the API server took the status and the content
 * @param replaced since when the object has another configuration; null where it has this one
 */
record Attempt(
    String key,
    String uid,
    String node,
    ConfigHash hash,
    Stage stage,
    Instant since,
    @Nullable Instant replaced,
    boolean holdsSecrets) {

  /** Whether its status says that it is on its way, rather than nothing. */
  boolean begun() {
    return stage instanceof Stage.Provisioning;
  }

  /** The configuration that this object has now; empty where it is not on its way to a node. */
  static Optional<Attempt> of(
      Guard guard, Progress progress, JsonNode object, IndexedObject known) {
    var metadata = object.path("metadata");
    if (!(known.role() instanceof Role.Current(var node))
        || !known.aboutThis()
        || metadata.path("deletionTimestamp").isTextual()) {
      return Optional.empty();
    }
    var written = WrittenAt.of(metadata, guard.signs().fields(known.standing()));
    var taken = Instant.ofEpochSecond(Math.max(written.status(), written.content()));
    var stage = progress.of(object);
    return since(stage, metadata)
        .map(
            since ->
                new Attempt(
                    known.key(),
                    metadata.path("uid").asText(),
                    node,
                    known.hash(),
                    stage,
                    since.isAfter(taken) ? since : taken,
                    null,
                    guard.identity().holdsSecrets(object)));
  }

  private static Optional<Instant> since(Stage stage, JsonNode metadata) {
    return switch (stage) {
      case Stage.Provisioning(var lastUpdate) -> Optional.of(lastUpdate);
      case Stage.NoStatus ignored ->
          Stream.of(metadata.path("creationTimestamp").asText())
              .map(WrittenAt::seconds)
              .filter(seconds -> seconds > 0)
              .map(Instant::ofEpochSecond)
              .findFirst();
      case Stage.Other ignored -> Optional.empty();
    };
  }

  /** The same, after which the object was given another configuration. */
  Attempt replacedAt(Instant time) {
    return new Attempt(key, uid, node, hash, stage, since, time, holdsSecrets);
  }
}
