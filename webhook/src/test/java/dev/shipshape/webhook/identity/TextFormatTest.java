package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What each format does to each text is in the vectors of docs. */
class TextFormatTest {
  @Test
  @Timeout(30)
  void aHugeTextCostsNoTime() {
    var text = ":".repeat(1_000_000) + "x/64";

    assertThat(TextFormat.NETWORK.canonical(text)).isSameAs(text);
  }
}
