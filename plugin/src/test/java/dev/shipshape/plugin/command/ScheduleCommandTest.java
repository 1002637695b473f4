package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduleCommandTest {
  @TempDir private Path folder = Path.of("");
  private final StringWriter out = new StringWriter();

  @Test
  void theNextFiveRunsAreShownInTheirZoneWithoutThoseInABlackout() throws Exception {
    assertThat(schedule("table")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("schedule   0 0 * * * ?   Europe/Berlin")
        .contains("blackout   22:00 to 06:00 Europe/Berlin, begun on [fri, sat]")
        .contains("armed      no: these runs only report");
    assertThat(out.toString().lines().filter(line -> line.endsWith("m") || line.endsWith("s")))
        .hasSize(5);

    assertThat(schedule("json")).isEqualTo(ExitCode.OK);
    var runs = new ArrayList<OffsetDateTime>();
    new ObjectMapper()
        .readTree(out.toString())
        .path("next")
        .forEach(run -> runs.add(OffsetDateTime.parse(run.asText())));
    assertThat(runs).hasSize(5).isSorted().allMatch(run -> run.getMinute() == 0);
  }

  @Test
  void theChartsValuesAreReadFromATimeOnAndAsManyRunsAreShownAsAskedFor() throws Exception {
    var values =
        Files.writeString(
            folder.resolve("values.yaml"),
            """
            guard: {presets: [nodeconfig]}
            pruning:
              schedule: 0 0 0 * * ?
              settings: {blackout: [{from: 22:00, to: 06:00, days: [sat]}]}
            """);
    assertThat(
            run(
                "schedule",
                "-f",
                values.toString(),
                "--from",
                "2026-11-26T12:00:00Z",
                "--count",
                "4"))
        .as(out.toString())
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("2026-11-27T00:00:00Z", "2026-11-28T00:00:00Z")
        .doesNotContain("2026-11-29T00:00:00Z")
        .contains("2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z");
  }

  @Test
  void fiveFieldsAreAnsweredBySecondsFirst() throws Exception {
    var values =
        Files.writeString(folder.resolve("values.yaml"), "pruning: {schedule: '*/5 * * * *'}");
    assertThat(run("schedule", "-f", values.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains("seconds first", "0 0 * * * ?");
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    return Shipshape.run(new PrintWriter(out, true), new PrintWriter(out, true), arguments);
  }

  private int schedule(String form) throws Exception {
    var settings =
        Files.writeString(
            folder.resolve("janitor.yaml"),
            """
            apiVersion: shipshape.dev/v1
            prune:
              schedule: 0 0 * * * ?
              zone: Europe/Berlin
              blackout: [{from: 22:00, to: 06:00, days: [fri, sat]}]
            """);
    out.getBuffer().setLength(0);
    return Shipshape.run(
        new PrintWriter(out, true),
        new PrintWriter(out, true),
        "schedule",
        "--settings",
        settings.toString(),
        "-o",
        form);
  }
}
