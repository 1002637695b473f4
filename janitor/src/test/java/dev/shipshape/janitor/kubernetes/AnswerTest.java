package dev.shipshape.janitor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AnswerTest {
  private static final String DATE = "Sun, 22 Nov 2026 11:59:59 GMT";

  @Test
  void aWishForPatienceIsReadInBothForms() {
    assertThat(retryAfter("2", null)).isEqualTo(Duration.ofSeconds(2));
    assertThat(retryAfter("-1", null)).isEqualTo(Duration.ZERO);
    assertThat(retryAfter("Sun, 22 Nov 2026 12:00:01 GMT", DATE)).isEqualTo(Duration.ofSeconds(2));
    assertThat(retryAfter("Sun, 22 Nov 2026 11:00:00 GMT", DATE)).isEqualTo(Duration.ZERO);
  }

  /** By its own clock: ours may be another. */
  @Test
  void aTimeIsNoWishWhereTheServerDoesNotSayWhatTimeItIs() {
    assertThat(retryAfter("Sun, 22 Nov 2026 12:00:01 GMT", null)).isNull();
    assertThat(retryAfter("soon", DATE)).isNull();
  }

  private static @Nullable Duration retryAfter(String header, @Nullable String date) {
    return Answer.of(503, date, header, MissingNode.getInstance()).retryAfter();
  }
}
