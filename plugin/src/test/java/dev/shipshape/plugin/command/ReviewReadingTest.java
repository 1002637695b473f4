package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What review reads of files as they are, and what it says of what it cannot read. */
@Timeout(60)
class ReviewReadingTest {
  private static final String FAILED = "src/test/resources/dev/shipshape/plugin/review/failed.yaml";

  /** Known invalid by that file. */
  static final String BAD =
      """
      apiVersion: network.schiff.telekom.de/v1alpha1
      kind: NodeConfig
      metadata: {name: worker-9}
      spec: {layer2: [{id: 300, mtu: 1500, vni: 10300}]}
      """;

  private static final String BAD_JSON =
      """
      {"apiVersion": "network.schiff.telekom.de/v1alpha1", "kind": "NodeConfig",
      \t"metadata": {"name": "%s"}, "spec": {"layer2": [{"id": 300, "mtu": 1500, "vni": 10300}]}}\
      """;

  private final StringWriter out = new StringWriter();

  @TempDir Path folder;

  @Test
  void whatCannotBeReadOfOtherKindsIsNotedAndTheNextDocumentIsReviewed() throws Exception {
    var text =
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a, name: b}
        ---
        apiVersion: v1
        kind: Service
        spec:
          ports: [80
        ---
        kind: Secret
        apiVersion: v1
        data:
          a:\tdGFi
        ---
        """
            + BAD;

    assertThat(review(text)).isEqualTo(ExitCode.FOUND);

    assertThat(out.toString())
        .contains("a.yaml:3: note: has name twice")
        .containsPattern("a.yaml:\\d: note: not YAML: expected ',' or ']'")
        .contains("a.yaml:13: note: not YAML: found character '\\t(TAB)'")
        .contains("a.yaml:18: NodeConfig worker-9 refused", "1 objects of other kinds")
        .doesNotContain("not readable");
  }

  /** As jsonnet prints a stream. */
  @Test
  void aStreamOfJsonMayEndAsOneOfYaml() throws Exception {
    assertThat(review("---\n" + BAD_JSON.formatted("a") + "\n...\n")).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("NodeConfig a refused").doesNotContain("not readable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ENC[AES256_GCM,data:Tm9k,type:str]", "${kind}"})
  void anObjectWhoseKindIsYetToBeFilledInIsNotReadable(String kind) throws Exception {
    var text = BAD.replace("kind: NodeConfig", "kind: " + kind);

    assertThat(review(text)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains("a.yaml:1: has the kind \"" + kind + "\"");
  }

  @Promise(
      value = "`review` fails on a document that it cannot read.",
      breaks = "Skipping a broken document.")
  @Test
  void whatCannotBeReadAndMayBeGuardedFailsAndTheNextDocumentIsReviewed() throws Exception {
    var text =
        """
        apiVersion: network.schiff.telekom.de/v1alpha1
        kind: NodeConfig
        metadata: {name: a}
        spec:
          layer2: []
          layer2: []
        ---
        kind: NodeConfig
        spec: [
        ---
        spec: }
        ---
        """
            + BAD;

    assertThat(review(text)).isEqualTo(ExitCode.BAD_INPUT);

    assertThat(out.toString())
        .contains("a.yaml:6: has layer2 twice", "a.yaml:10: not YAML", "a.yaml:11: not YAML")
        .contains("a.yaml:16: NodeConfig worker-9 refused", "3 not readable");
  }

  /** For kubectl, an object begins in this comment. */
  @Test
  void whatALineEndOfYaml11BringsOutOfACommentIsToldAndTheNextDocumentIsReviewed()
      throws Exception {
    var text = "# a\n# b\u0085apiVersion: v1\nkind: NodeConfig\n---\n" + BAD;

    assertThat(review(text)).isEqualTo(ExitCode.BAD_INPUT);

    assertThat(out.toString())
        .contains("a.yaml:2: not YAML: has U+0085, which kubectl takes for a line end")
        .contains("a.yaml:8: NodeConfig worker-9 refused");
  }

  @Test
  void aCharacterThatYamlDoesNotHaveIsToldWithItsLine() throws Exception {
    assertThat(review("# \ud83d\ude00\nkind: NodeConfig\nspec: {a: \"\f\"}\n---\n" + BAD))
        .isEqualTo(ExitCode.BAD_INPUT);

    assertThat(out.toString()).contains("a.yaml:3: not YAML: has U+000C", "worker-9 refused");
  }

  /** As of a variable that is not set: the current folder would be read, and nothing found. */
  @Test
  void aFileWithoutANameIsNotTheCurrentFolder() throws Exception {
    write("a.yaml", BAD);

    assertThat(run("--known-invalid", "", folder.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run("")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains("a file has a name");
  }

  @Test
  void anItemOfAListThatCannotBeReadDoesNotHideTheNext() throws Exception {
    var text =
        """
        apiVersion: v1
        kind: List
        items:
        - {apiVersion: v1, kind: ConfigMap, data: {a: 1, a: 2}}
        - no object
        - spec: {}
        - apiVersion: network.schiff.telekom.de/v1alpha1
          kind: NodeConfig
          metadata: {name: worker-9}
          spec: {layer2: [{id: 300, mtu: 1500, vni: 10300}]}
        """;

    assertThat(review(text)).isEqualTo(ExitCode.BAD_INPUT);

    assertThat(out.toString())
        .contains("a.yaml:4: note: has a twice", "has an item that is no object")
        .contains("is an object without apiVersion")
        .contains("a.yaml:10: NodeConfig worker-9 refused", "2 not readable");
  }

  @Test
  void jsonValuesOneBehindAnotherAreRead() throws Exception {
    var lines = Stream.of("a", "b").map(BAD_JSON::formatted).map(each -> each.replace("\n", ""));
    var text = lines.collect(Collectors.joining("\n")) + BAD_JSON.formatted("c") + "\n";

    assertThat(review(text)).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("a.yaml:3: NodeConfig c refused", "3 reviewed: 3 refused");

    assertThat(review("---\n" + text + "---\n" + text)).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("a.yaml:8: NodeConfig c refused", "6 reviewed: 6 refused");

    assertThat(review(text + "{\"kind\": ]\n" + text)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains("a.yaml:4: not YAML", "3 reviewed: 3 refused");
  }

  @Test
  void mergeKeysAndManyAliasesAreReadAsByKubectl() throws Exception {
    var text =
        """
        apiVersion: network.schiff.telekom.de/v1alpha1
        kind: NodeConfig
        metadata:
          name: worker-9
          labels: {%s}
          annotations: &common {mtu: 1500, id: 1}
        spec: {layer2: [{<<: *common, id: 300, vni: 10300}]}
        """
            .formatted(
                "a: &a x, "
                    + IntStream.range(0, 60)
                        .mapToObj("b%d: *a"::formatted)
                        .collect(Collectors.joining(", ")));

    assertThat(review(text)).isEqualTo(ExitCode.FOUND);
  }

  /** The library by itself takes minutes. */
  @Test
  void aLargeScalarTakesLinearTime() throws Exception {
    var large = "x".repeat(6_000_000);
    var object = "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: %s\n  b: \"%s\"\n---\n";

    assertThat(review(object.formatted(large, large) + BAD)).isEqualTo(ExitCode.FOUND);
  }

  @Test
  void dashesWithinATextEndNoDocument() throws Exception {
    var text =
        """
        %YAML 1.1
        --- # of the first
        apiVersion: v1
        kind: ConfigMap
        data:
          a: |
            ---
            a: [
          b: a
            --- b
        ...
        ---
        """;

    assertThat(review(text + BAD)).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("1 objects of other kinds").doesNotContain("note");
  }

  @Test
  void whatIsExcludedByNamePathOrFolderIsNotRead() throws Exception {
    write("a.yaml", BAD);
    write("values.yaml", "a: 1\n");
    write("charts/lib/templates/b.yaml", "{{ if }}\n");
    write("test/c.yaml", BAD);
    write("test/d.yaml", "a: 1\n");

    assertThat(run(folder.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains("2 reviewed", "3 not readable");
    assertThat(
            run(
                folder.toString(),
                "--exclude=values.{yaml,yml}",
                "--exclude=./charts/",
                "--exclude=test/d*"))
        .isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("2 reviewed").doesNotContain("values.yaml");
    assertThat(run(folder.toString(), "--exclude", "[")).isEqualTo(ExitCode.USAGE);
    assertThat(out.toString()).contains("'['");
  }

  @Test
  void whatAFoldersIgnoreFileListsIsNotReadAndThatIsSaid() throws Exception {
    write("a.yaml", BAD);
    write("values.yaml", "a: 1\n");
    write("charts/lib/templates/b.yaml", "{{ if }}\n");
    write(".shipshapeignore", "# of Helm\nvalues.yaml\n\ncharts/\n");

    assertThat(run(folder.toString())).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString())
        .contains(".shipshapeignore:1: note: leaves out 2 of 3 files", "1 reviewed");
    run(folder.toString(), "-o", "sarif");
    assertThat(out.toString()).contains("leaves out").doesNotContain("\"ruleId\" : \"unreadable");
    write(".shipshapeignore", "values.yaml\n{\n");
    assertThat(run(folder.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains(".shipshapeignore:2: '{' is no glob");
    write(".shipshapeignore", "*.yaml\n!a.yaml\n");
    assertThat(run(folder.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains(".shipshapeignore:2: an exception (!)");
  }

  @Test
  void aMountedConfigMapIsReadOnceAndAFolderByALinkToIt() throws Exception {
    var volume = folder.resolve("volume");
    write("volume/..2026_11_26/a.yaml", BAD);
    Files.createSymbolicLink(volume.resolve("..data"), Path.of("..2026_11_26"));
    Files.createSymbolicLink(volume.resolve("a.yaml"), Path.of("..data/a.yaml"));
    var link = Files.createSymbolicLink(folder.resolve("link"), volume);

    for (var each : List.of(volume, link)) {
      assertThat(run(each.toString())).isEqualTo(ExitCode.FOUND);
      assertThat(out.toString()).contains(each + "/a.yaml:4: ", "1 reviewed");
    }
  }

  @Test
  void aFolderOfWhichNothingIsReadIsNotGreen() throws Exception {
    write("elsewhere/a.yaml", BAD);
    var empty = Files.createDirectory(folder.resolve("empty"));
    Files.createSymbolicLink(empty.resolve("linked"), folder.resolve("elsewhere"));
    var none = "1: has no .yaml, .yml or .json file";

    assertThat(run(empty.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains(none, "linked:1: note: is a link to a folder");
    assertThat(run(folder.toString(), "--known-invalid", empty.toString()))
        .isEqualTo(ExitCode.BAD_INPUT);

    write("empty/b.YAML", BAD);
    assertThat(run(empty.toString())).as(out.toString()).isEqualTo(ExitCode.FOUND);
    Files.createSymbolicLink(empty.resolve("c.yaml"), Path.of("nowhere"));
    assertThat(run(empty.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains("c.yaml:1: there is no such file");
  }

  /** To kubectl, a comment may follow the dashes at once. */
  @Test
  void aCommentBehindTheDashesHidesNoDocument() throws Exception {
    var other =
        "---# ConfigMap: the labels\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";

    assertThat(review(BAD + other)).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).doesNotContain("twice");
  }

  @Test
  void metadataThatIsNoMappingIsToldAndTheNextDocumentIsReviewed() throws Exception {
    assertThat(review(BAD.replace("{name: worker-9}", "[a]") + "---\n" + BAD))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains("metadata that is no mapping", "worker-9 refused");
  }

  /** As standard input is after a helm template that failed. */
  @Test
  void aFileWithoutAnObjectIsNotGreen() throws Exception {
    assertThat(review("")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains("there is no object in the files");
    assertThat(review("kind: ConfigMap\napiVersion: v1\n")).isEqualTo(ExitCode.OK);
  }

  private void write(String name, String text) throws Exception {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private int review(String text) throws Exception {
    write("a.yaml", text);
    return run(folder.resolve("a.yaml").toString());
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    var writer = new PrintWriter(out, true);
    var all = Stream.concat(Stream.of("review", "--known-invalid", FAILED), Stream.of(arguments));
    return Shipshape.run(writer, writer, all.toArray(String[]::new));
  }
}
