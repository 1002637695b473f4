package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code operator --log}, which needs no cluster. */
class OperatorLogTest extends WithCommands {
  private static final String STUCK =
      """
      2026-11-25T12:00:00Z handled a
      2026-11-25T12:00:10Z ERROR Failed to watch: EOF
      2026-11-25T12:00:10.100Z Failed to watch: EOF
      2026-11-25T12:01:20Z INFO retried after Failed to watch: EOF
      2026-11-25T12:01:20Z ERROR Failed to watch: EOF
      2026-11-25T12:01:50Z ERROR Failed to watch: EOF
      2026-11-25T12:02:40Z ERROR Failed to watch: EOF
      2026-11-25T12:03:20Z ERROR Failed to watch: EOF
      """;

  @TempDir Path folder;

  @Test
  void aLogIsJudgedWithTheLinesThatCount() throws Exception {
    assertThat(operator(STUCK, "--signature", "client-go")).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString().lines())
        .contains(
            "     2  failure       2026-11-25T12:00:10Z  2026-11-25T12:00:10Z ERROR"
                + " Failed to watch: EOF",
            "lines         8, from 2026-11-25T12:00:00Z to 2026-11-25T12:03:20Z",
            "signature     client-go",
            "counts        {failure=5, quote=1, same-failure=1}",
            "at its end    stuck: 5 failures from 2026-11-25T12:00:10Z to 2026-11-25T12:03:20Z")
        .anyMatch(line -> line.startsWith("     3  same-failure "))
        .anyMatch(line -> line.startsWith("     4  quote "))
        .anyMatch(line -> line.startsWith("remedy        restart: "));
  }

  @Test
  void programsReadTheSame() throws Exception {
    operator(STUCK, "--signature", "client-go", "-o", "json");
    var review = new ObjectMapper().readTree(out.toString());
    assertThat(review.path("diagnosis").asText()).isEqualTo("stuck");
    assertThat(review.at("/matches/0/line").asInt()).isEqualTo(2);
  }

  @Test
  void aFolderIsRefusedWithTheReasonAlone() throws Exception {
    assertThat(run("operator", "--log", folder.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString().strip()).isEqualTo(folder + ": could not be read: Is a directory");
  }

  @Test
  void withoutASignatureEachShippedOneJudges() throws Exception {
    assertThat(operator(STUCK)).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString().lines())
        .filteredOn(line -> line.startsWith("at its end"))
        .hasSize(6)
        .anyMatch(line -> line.endsWith("healthy, or of another client than the signature is for"))
        .filteredOn(line -> line.contains("stuck"))
        .hasSize(1);
  }

  @Test
  void aSignatureOfOnesOwnIsReadFromItsFile() throws Exception {
    var own =
        Files.writeString(
            folder.resolve("own.yaml"),
            "{apiVersion: shipshape.dev/v1, name: own, advice: Wait., failure: [Failed], progress:"
                + " [handled]}");
    var recovered = STUCK + "2026-11-25T12:03:25Z handled b\n";
    assertThat(operator(recovered, "--signature", own.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("at its end    recovered");
  }

  @Test
  void whatCannotBeReadIsAnErrorOfItsOwn() throws Exception {
    assertThat(operator("no time here\n")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("no line has a time; kubectl logs --timestamps");
    assertThat(operator("")).isEqualTo(ExitCode.BAD_INPUT);
    var framed =
        """
        {"MESSAGE": "2026-11-21 02:48:20,487 - ERROR - resourceVersion: Invalid value: \\"None\\": strconv.ParseUint: parsing, \\"code\\":500"}
        """;
    assertThat(operator(framed.repeat(8))).as(out.toString()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(operator("@timestamp,@message\n" + STUCK)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("is CSV");
    assertThat(operator(STUCK, "--signature", "none")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("there is no signature none; there are: cfs-1.3, ");
    var bad =
        Files.writeString(
            folder.resolve("bad.yaml"),
            "apiVersion: shipshape.dev/v1\nname: own\nadvice: Wait.\nfailure: ['a(b']\n");
    assertThat(operator(STUCK, "--signature", bad.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("bad.yaml:4: failure[0]: does not compile");
    assertThat(run("operator", "--log", folder.resolve("none").toString()))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run("operator", "--signature", "kopf")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aPipeIsReadOnceForAllSignatures() throws Exception {
    var before = System.in;
    System.setIn(new ByteArrayInputStream(STUCK.getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(run("operator", "--log", "-")).as(err.toString()).isEqualTo(ExitCode.FOUND);
    } finally {
      System.setIn(before);
    }
  }

  private int operator(String log, String... more) throws Exception {
    var line = new ArrayList<>(List.of("operator", "--log"));
    line.add(Files.writeString(folder.resolve("operator.log"), log).toString());
    line.addAll(List.of(more));
    return run(line.toArray(String[]::new));
  }
}
