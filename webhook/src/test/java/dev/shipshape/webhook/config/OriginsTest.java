package dev.shipshape.webhook.config;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OriginsTest {
  /** The writer of an object chooses them: each is held and logged. */
  @Test
  void whatNoObjectCanBeNamedIsNoOrigin() {
    var origins = new Origins("from", "example.com", "v1");
    var object = "{metadata: {annotations: {from: '{\"a\": \"K/%s\", \"b\": \"Intent/one\"}'}}}";

    for (var name : new String[] {"n".repeat(254), "x\\\\nINFO forged"}) {
      assertThat(origins.of(json(object.formatted(name))))
          .as(name)
          .extracting("name")
          .containsExactly("one");
    }
  }
}
