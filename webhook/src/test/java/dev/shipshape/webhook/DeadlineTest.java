package dev.shipshape.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadlineTest {
  @ParameterizedTest
  @CsvSource({"5s, 4000", "1s, 300", "0s, 300", "30s, 29000", "x, 9000", "5, 9000", ", 9000"})
  void upToASecondLessIsLeftThanIsWritten(String timeout, long millis) {
    var now = 42L;
    var left = Duration.ofMillis(millis).toNanos();
    var deadline = Deadline.of(timeout, now);

    assertThat(deadline.leavesNoTime(now + left - 1)).isFalse();
    assertThat(deadline.leavesNoTime(now + left)).isTrue();
  }
}
