package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "250ms, PT0.25S",
    "90s, PT1M30S",
    "15m, PT15M",
    "36h, PT36H",
    "7d, PT168H",
    "2w, PT336H",
    "PT1H30M, PT1H30M",
    "P1D, PT24H",
    "0s, PT0S"
  })
  void oneNumberWithAUnitOrIsoIsRead(String text, Duration expected) {
    assertThat(Durations.parse(text)).isEqualTo(expected);
  }

  @Test
  void anAgeInTheFutureIsSaidToBe() {
    assertThat(Durations.format(Duration.ofSeconds(-90))).isEqualTo("in the future");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "abc",
        "1d12h",
        "7 d",
        "-1d",
        "-PT1S",
        "7D",
        "9999999999s",
        "d",
        "36501d"
      })
  void unitlessCompoundNegativeAndEndlessOnesAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse(text))
        .withMessageContaining("not a duration: \"" + text + "\"");
  }
}
