package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.shipshape.janitor.ReportJson;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.service.Durations;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OperatorTextTest {
  @Test
  void whatTheLastCheckCouldNotReadIsSaidAndNoRestartThatWasNone() throws Exception {
    var detail = "pod one: GET /api/v1/namespaces/services/pods/one/log was answered 500";
    assertThat(line(detail, "\"2026-11-23T04:01:00Z\""))
        .isEqualTo("unknown: " + detail + "; it was stuck from 2026-11-23T04:01:00Z");
    assertThat(line("it is scaled to 0", "null")).isEqualTo("unknown: it is scaled to 0");
  }

  /** Its log has no failure, but nothing else either. */
  @Test
  void anArmedSilenceIsSaidWithWhatComesOfIt() throws JsonProcessingException {
    var json =
        """
        {"operator": "cray-cfs-operator", "at": "2026-11-23T04:10:00Z", "signature": "cfs-1.3",
         "workload": {"kind": "deployment", "namespace": "services", "name": "cray-cfs-operator"},
         "diagnosis": "healthy", "detail": "", "silence": "no line since x",
         "governor": "cooldown", "armed": true, "restartReason": "no line since x",
         "refusal": "cooldown", "refusalDetail": "until y"}
        """;
    var report = ReportJson.MAPPER.readValue(json, OperatorReport.class);
    assertThat(OperatorText.line(true, report))
        .isEqualTo(
            "not stuck, by its log; but silent: no line since x; not restarted: cooldown: until y");
    assertThat(OperatorText.next(report))
        .isEqualTo("a restart whenever it is stuck and nothing forbids it");
  }

  @Test
  void anAgeInTheFutureIsSaidToBe() {
    assertThat(Durations.format(Duration.ofSeconds(-90))).isEqualTo("in the future");
  }

  private static String line(String detail, String stuckSince) throws JsonProcessingException {
    var json =
        """
        {"operator": "cray-cfs-operator", "at": "2026-11-23T04:10:00Z", "signature": "cfs-1.3",
         "workload": {"kind": "deployment", "namespace": "services", "name": "cray-cfs-operator"},
         "diagnosis": "unreadable", "detail": "%s",
         "stuckSince": %s,
         "governor": "paused", "armed": true, "refusalDetail": ""}
        """
            .formatted(detail, stuckSince);
    return OperatorText.line(true, ReportJson.MAPPER.readValue(json, OperatorReport.class));
  }
}
