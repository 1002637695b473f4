package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class HelmCompletionTest {
  @Command(name = "c")
  static final class OneShortOption {
    @Option(names = "--all")
    boolean all;

    @Option(names = {"-z", "--zone"})
    boolean zone;
  }

  @Test
  void theCommittedFileIsCurrent() throws Exception {
    var made = HelmCompletion.yaml(Shipshape.commandLine().getCommandSpec());

    assertThat(Path.of("../completion.yaml"))
        .as("run: plugin/bin/shipshape completion helm > completion.yaml")
        .content()
        .isEqualTo(made);
    assertThat(made).contains("- name: webhook", "  - settings").doesNotContain("stacktrace");
  }

  @Test
  void aLetterStandsAtThePlaceOfItsWord() {
    var yaml = HelmCompletion.yaml(new CommandLine(new OneShortOption()).getCommandSpec());

    assertThat(yaml).endsWith("flags:\n- zone\n- all\n- z\n");
  }

  @Test
  void theFileForAGitInstallHasOnlyWhatEveryHelmReads() throws Exception {
    assertThat(Files.readAllLines(Path.of("../plugin.yaml")))
        .filteredOn(line -> !line.startsWith("#"))
        .extracting(line -> line.replaceFirst(":.*", ""))
        .containsExactlyInAnyOrder("name", "version", "usage", "description", "command");
  }
}
