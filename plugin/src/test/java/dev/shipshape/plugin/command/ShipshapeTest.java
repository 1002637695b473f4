package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.Kubeconfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShipshapeTest extends WithCommands {
  static Stream<String> commands() {
    return Stream.concat(Stream.of(""), Shipshape.commandLine().getSubcommands().keySet().stream());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandExplainsItself(String command) {
    var exit = command.isEmpty() ? run("--help") : run(command, "--help");

    assertThat(exit).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("Usage: shipshape", "Exit codes:");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V"})
  void theVersionIsPrinted(String typed) {
    assertThat(run(typed)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).matches("shipshape \\S+\\R");
  }

  /** As a flag of Helm it selects the chart: a command that only prints would end green. */
  @ParameterizedTest
  @ValueSource(strings = {"install", "uninstall", "disarm --now", "status"})
  void theVersionOfOneCommandIsWrongUsage(String command) {
    assertThat(run((command + " --version 0.2.0").split(" "))).isEqualTo(ExitCode.USAGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h"})
  void theHelpIsThatOfAllCommandsThoughTheyAreNotRead(String help) {
    run(help);

    assertThat(out).hasToString(Shipshape.commandLine().getUsageMessage());
  }

  @Test
  void aFileWhoseNameBeginsWithAnAtSignIsAFile(@TempDir Path folder) throws Exception {
    var arguments = Files.writeString(folder.resolve("arguments"), "--help");

    assertThat(run("hash", "@" + arguments)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("@" + arguments);
  }

  @Test
  void aWrongCommandLineIsOneLineWithASuggestionAndExitCode2() {
    assertThat(run("revew")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("revew", "Did you mean", "review");

    assertThat(run("review", "--kep")).isEqualTo(ExitCode.USAGE);
    assertThat(run()).as("no command at all").isEqualTo(ExitCode.USAGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook", "janitor"})
  void aMissingSettingsFileIsNamedWithExitCode3(String command) {
    // As a sidecar the janitor must stay up; --check asks for the verdict alone.
    assertThat(run(command, "--settings", "/nowhere/at-all.yaml", "--check"))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("/nowhere/at-all.yaml: there is no such file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook", "janitor"})
  void everyMistakeInASettingsFileIsListed(String command, @TempDir Path folder) throws Exception {
    var file = Files.writeString(folder.resolve("s.yaml"), "apiVersion: v0\nnonsense: 1\n");

    assertThat(run(command, "--settings", file.toString(), "--check"))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString().lines())
        .anySatisfy(line -> assertThat(line).startsWith(file + ":1: apiVersion: must be"))
        .anySatisfy(line -> assertThat(line).startsWith(file + ":2: nonsense: unknown field"));
  }

  @Test
  void aMissingKubeconfigIsOneLineWithExitCode4(@TempDir Path folder) throws Exception {
    var file =
        Files.writeString(
            folder.resolve("s.yaml"),
            "apiVersion: shipshape.dev/v1\nguards: [{preset: nodeconfig}]\n");

    assertThat(run("webhook", "--settings", file.toString(), "--kubeconfig", "/nowhere/config"))
        .isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "shipshape: could not read the kubeconfig /nowhere/config: there is no such file, or it"
                + " is empty");
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:1, the connection was refused",
    "http://api.invalid, the host name is unknown"
  })
  void anApiServerThatDoesNotAnswerIsOneLineThatNamesTheCall(
      String server, String cause, @TempDir Path folder) throws Exception {
    var nobody = Files.writeString(folder.resolve("config"), Kubeconfig.anonymous(server));

    assertThat(run("status", "-n", "here", "--kubeconfig", nobody.toString()))
        .isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith(
            "shipshape: could not list Deployment in namespace here: no answer from the API server:"
                + " "
                + cause);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--debug", "--debug=true", "--debug=false"})
  void whatHelmLeavesOfItsDebugFlagIsTakenBeforeAndAfterTheCommand(String flag) {
    assertThat(run(flag, "probe", "--help")).as("%s", err).isEqualTo(ExitCode.OK);
    assertThat(run("probe", "--help", flag)).as("%s", err).isEqualTo(ExitCode.OK);
  }
}
