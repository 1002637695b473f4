package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExpositionTest {
  private static final Exposition METRICS =
      Exposition.parse(
          """
          # HELP calls_total Calls.
          # TYPE calls_total counter
          calls_total{entry="a b",result="ok"} 3.0
          calls_total{entry="c",result="ok"} 4
          calls_total_more 100
          limit +Inf
          stamped 1.5e3 1700000000000
          nonsense
          """);

  @Test
  void samplesOfOneNameAreSummedByTheirLabels() {
    assertThat(METRICS.sum("calls_total").orElseThrow()).isEqualTo(7);
    assertThat(METRICS.sum("calls_total", "entry=\"a b\"").orElseThrow()).isEqualTo(3);
    assertThat(METRICS.greatest("calls_total", "result=\"ok\"").orElseThrow()).isEqualTo(4);
    assertThat(METRICS.sum("stamped").orElseThrow()).isEqualTo(1500);
    assertThat(METRICS.sum("limit").orElseThrow()).isInfinite();
  }

  @Test
  void whatIsNotExportedIsNotZero() {
    assertThat(METRICS.sum("calls")).isEmpty();
    assertThat(METRICS.sum("calls_total", "entry=\"x\"")).isEmpty();
  }
}
