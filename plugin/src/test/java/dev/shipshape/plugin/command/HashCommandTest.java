package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashCommandTest extends WithCommands {
  private static final String DEMO = "../demo/";

  @Test
  void twoSpellingsOfOneConfigurationHaveOneHash() {
    assertThat(run(DEMO + "worker-1-invalid.yaml", DEMO + "worker-1-again.yaml"))
        .isEqualTo(ExitCode.OK);

    var hashes = out.toString().lines().map(line -> line.substring(0, line.indexOf(' '))).toList();
    assertThat(hashes).hasSize(2).allMatch(hash -> hash.matches("v1:[0-9a-f]{64}"));
    assertThat(hashes.get(0)).isEqualTo(hashes.get(1));
    assertThat(out.toString()).contains("  NodeConfig worker-1-invalid");
  }

  @Test
  void whatCannotBeHashedIsNamedAndTheRestIsHashedAllTheSame(@TempDir Path folder)
      throws Exception {
    var pod = Files.writeString(folder.resolve("pod.yaml"), "apiVersion: v1\nkind: Pod\n");
    var number = Files.writeString(folder.resolve("n.yaml"), "a:\n  b: .nan\n");
    var broken = Files.writeString(folder.resolve("broken.yaml"), "a: [\n");

    assertThat(
            run(
                pod.toString(),
                number.toString(),
                broken.toString(),
                "/nowhere.yaml",
                DEMO + "worker-1.yaml"))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString().lines())
        .hasSize(4)
        .anySatisfy(line -> assertThat(line).contains("n.yaml:2: has the number .nan"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("pod.yaml:1: ", "no guard is for Pod of v1", "--settings FILE"))
        .anySatisfy(line -> assertThat(line).contains("broken.yaml:2: not YAML"))
        .anySatisfy(line -> assertThat(line).contains("/nowhere.yaml:1: there is no such file"));
    assertThat(out.toString().lines()).hasSize(1);
  }

  @Test
  void anObjectWithoutAConfigurationIsNamed(@TempDir Path folder) throws Exception {
    var empty =
        "apiVersion: network.schiff.telekom.de/v1alpha1\nkind: NodeConfig\nmetadata: {name: a}\n";

    assertThat(run(Files.writeString(folder.resolve("a.yaml"), empty).toString()))
        .isEqualTo(ExitCode.OK);
    assertThat(err.toString()).contains("a.yaml:1: note: NodeConfig a: has no spec");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "{apiVersion: v1, kind: List, items: []}\n"})
  void aFileWithoutAnyObjectIsBadInput(String text, @TempDir Path folder) throws Exception {
    assertThat(run(Files.writeString(folder.resolve("a.yaml"), text).toString()))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("a.yaml:1: ");
  }

  @Test
  void anotherVersionThanTheGuardsIsNotHashed(@TempDir Path folder) throws Exception {
    var later =
        Files.readString(Path.of(DEMO + "worker-1.yaml")).replaceFirst("/v1alpha1", "/v1beta1");

    assertThat(run(Files.writeString(folder.resolve("later.yaml"), later).toString()))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .contains("NodeConfig worker-1: ", "converts v1beta1 to the guard's v1alpha1");
  }

  @ParameterizedTest
  @CsvSource({"300, 1, nesting depth", "1, 5000, length"})
  void whatAdmissionRefusesToReadIsNamedAndNotHashed(
      int depth, int length, String limit, @TempDir Path folder) throws Exception {
    var config =
        """
        apiVersion: network.schiff.telekom.de/v1alpha1
        kind: NodeConfig
        metadata: {name: a}
        spec: %s{? %s : 1}%s
        """
            .formatted("[".repeat(depth), "x".repeat(length), "]".repeat(depth));
    var file = Files.writeString(folder.resolve("a.yaml"), config).toString();

    assertThat(run("--explain", file)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .contains("a.yaml:1: NodeConfig a: ", limit);
    assertThat(super.run("diff", file, file)).isEqualTo(ExitCode.BAD_INPUT);
  }

  @Test
  void whatIsHashedIsExplainedByADiffFromWhatIsWritten() {
    assertThat(run("--explain", DEMO + "worker-1-again.yaml")).isEqualTo(ExitCode.OK);

    assertThat(out.toString())
        .contains(
            "  {\"layer2\":[{",
            "  --- written",
            "  +++ hashed",
            "  +    \"anycastMac\" : \"00:00:5e:00:01:64\"",
            "  +    \"mtu\" : 9000");
  }

  @Test
  void plainYamlThatMeansSomethingElseThanItsTextIsExplained(@TempDir Path folder)
      throws Exception {
    var settings =
        """
        apiVersion: shipshape.dev/v1
        guards:
        - name: widgets
          resource: {group: example.com, version: v1, plural: widgets, kind: Widget}
          invalidWhen: {field: status.state, equals: bad}
          identity: {content: spec, secret: [pin]}
        """;
    var widget =
        """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: example.com/v1
          kind: Widget
          metadata: {name: one, generation: 0x1}
          spec:
            mode: 0644
            on: [true, yes, "yes", 12, 1.50, 1_0]
            pin: 007
        """;
    var arguments =
        new String[] {
          "--settings",
          Files.writeString(folder.resolve("webhook.yaml"), settings).toString(),
          "--explain",
          Files.writeString(folder.resolve("widget.yaml"), widget).toString()
        };

    assertThat(run(arguments)).isEqualTo(ExitCode.OK);

    assertThat(out.toString().lines().filter(line -> line.contains(" means ")))
        .containsExactly(
            "  line 8: 0644 means 420 (spec.mode)",
            "  line 9: on means true (spec.true)",
            "  line 9: yes means true (spec.true[1])",
            "  line 9: 1.50 means 1.5 (spec.true[4])",
            "  line 9: 1_0 means 10 (spec.true[5])");
  }

  @Override
  int run(String... files) {
    var arguments = new String[files.length + 1];
    arguments[0] = "hash";
    System.arraycopy(files, 0, arguments, 1, files.length);
    return super.run(arguments);
  }
}
