package dev.shipshape.webhook.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.Json;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.known.KnownInvalid;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ObjectFeedTest {
  private final Guard guard = GuardReader.preset("nodeconfig").getFirst();
  private final KnownInvalid known =
      new KnownInvalid(List.of(guard), Scope.CLUSTER, Duration.ofDays(1));
  private final ObjectFeed feed =
      new ObjectFeed(
          known,
          new Revisions(List.of(guard), node -> Optional.empty(), each -> true),
          Clock.systemUTC());

  /** An object of 3 MiB is hashed for a long time. */
  @Test
  void whatHashesHoldsUpNothing() {
    var hashing = new CompletableFuture<Void>();
    var go = new CompletableFuture<Void>();
    var slow = new Waiting(hashing, go);
    slow.setAll(object("worker-1"));
    var seen =
        CompletableFuture.runAsync(() -> feed.update(guard, slow), Thread::startVirtualThread);
    hashing.join();

    var other = object("worker-2");
    var rest =
        CompletableFuture.runAsync(
            () -> {
              feed.refresh();
              feed.update(guard, other);
            },
            Thread::startVirtualThread);
    try {
      assertThat(rest).succeedsWithin(Duration.ofSeconds(10));
      assertThat(known.keys(guard)).containsExactly("worker-2");
    } finally {
      go.complete(null);
    }
    seen.join();
    assertThat(known.keys(guard)).containsExactlyInAnyOrder("worker-1", "worker-2");
  }

  private static ObjectNode object(String name) {
    return Json.object("{metadata: {name: '%s'}, spec: {}}".formatted(name));
  }

  /** Waits once its content is looked at. */
  @SuppressWarnings({"serial", "unchecked"})
  private static final class Waiting extends ObjectNode {
    private static final long serialVersionUID = 1L;
    private final CompletableFuture<Void> reached;
    private final CompletableFuture<Void> go;

    Waiting(CompletableFuture<Void> reached, CompletableFuture<Void> go) {
      super(JsonNodeFactory.instance);
      this.reached = reached;
      this.go = go;
    }

    @Override
    public JsonNode path(String name) {
      if (name.equals("spec")) {
        reached.complete(null);
        go.join();
      }
      return super.path(name);
    }
  }
}
