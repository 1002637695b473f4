package dev.shipshape.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class BatcherSessionsTest {
  @Test
  void thereAreTwoHundredOfWhichTheAgedCompleteOnesMustGo() {
    var sessions = BatcherSessions.twoHundred(Instant.parse("2026-06-01T00:00:00Z"));

    assertThat(sessions)
        .extracting(BatcherSessions.Made::name)
        .hasSize(200)
        .doesNotHaveDuplicates();
    assertThat(sessions).filteredOn(BatcherSessions.Made::mustGo).hasSize(80);
  }
}
