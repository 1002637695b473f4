package dev.shipshape.webhook.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackingTest {
  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 127, 128, 16_383, 16_384, 1_795_000_000, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void aNumberReadsBackAsItWasWritten(long number) {
    var bytes = ByteBuffer.allocate(Packing.LONGEST_NUMBER);
    Packing.putNumber(bytes, number);

    assertThat(Packing.number(bytes.flip())).isEqualTo(number);
    assertThat(bytes.hasRemaining()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "worker-1", "ü€😀"})
  void aTextReadsBackAsItWasWritten(String text) {
    var bytes = ByteBuffer.allocate(Packing.room(text));
    Packing.putText(bytes, text);

    assertThat(Packing.text(bytes.flip())).isEqualTo(text);
  }
}
