package dev.shipshape.webhook.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadlineTest {
  @ParameterizedTest
  @CsvSource({
    "timeout=5s, 4000",
    "timeout=1s, 300",
    "timeout=0s, 300",
    "a=b&timeout=30s&c, 29000",
    "timeout=x, 9000",
    "timeout=5, 9000",
    "mytimeout=5s, 9000",
    ", 9000"
  })
  void upToASecondLessIsLeftThanIsWritten(String query, long millis) {
    var now = 42L;
    var left = Duration.ofMillis(millis).toNanos();
    var deadline = Deadline.of(query, now);

    assertThat(deadline.isTooLate(now + left - 1)).isFalse();
    assertThat(deadline.isTooLate(now + left)).isTrue();
  }
}
