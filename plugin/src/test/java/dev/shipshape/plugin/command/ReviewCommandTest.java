package dev.shipshape.plugin.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.contrastsecurity.sarif.SarifSchema210;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.shipshape.service.Metrics;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ReviewCommandTest extends WithCommands {
  private static final Path EXAMPLES = Path.of("src/test/resources/dev/shipshape/plugin/review");
  private static final String MANIFESTS = EXAMPLES.resolve("manifests.yaml").toString();
  private static final String FAILED = EXAMPLES.resolve("failed.yaml").toString();
  private static final String KNOWN = "--known-invalid=" + FAILED;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"text", "json", "junit", "sarif", "github"})
  void eachReportIsAsItsExample(String format) throws Exception {
    assertThat(run(MANIFESTS, KNOWN, "-o", format)).isEqualTo(ExitCode.FOUND);

    assertThat(err.toString()).isEmpty();
    // Which version it is depends on what the test runs from.
    var version = "\"version\" : \"%s\"";
    assertThat(EXAMPLES.resolve("report." + format))
        .content()
        .isEqualTo(
            out.toString()
                .replace(version.formatted(Metrics.version()), version.formatted("unknown")));
  }

  @Test
  void severalReportsComeOfOneRunAndAreValid() throws Exception {
    var broken = file("broken.yaml", "kind: NodeConfig\nspec: [\n");
    var sarif = folder.resolve("review.sarif");
    var junit = folder.resolve("review.xml");

    assertThat(
            run(MANIFESTS, broken, KNOWN, "-o", "text", "-o=sarif=" + sarif, "-o=junit=" + junit))
        .isEqualTo(ExitCode.BAD_INPUT);

    assertThat(out.toString()).contains("broken.yaml:3: not YAML", "worker-2 refused");
    assertThat(sarifSchema().validate(Files.readString(sarif), InputFormat.JSON)).isEmpty();
    assertThat(Files.readString(sarif)).contains("\"executionSuccessful\" : false");
    SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
        .newSchema(EXAMPLES.resolve("junit.xsd").toFile())
        .newValidator()
        .validate(new StreamSource(new StringReader(Files.readString(junit))));
  }

  /** UTF-8 has no form for one half of a surrogate pair. */
  @Test
  void aNameThatNoFileCanHoldIsReported() throws Exception {
    var object =
        """
        {"apiVersion": "network.schiff.telekom.de/v1alpha1", "kind": "NodeConfig",
         "metadata": {"name": "a\\ud800b"}, "spec": {"vrf": []}}
        """;
    var junit = folder.resolve("review.xml");
    var json = folder.resolve("review.json");

    run(file("nc.json", object), KNOWN, "-o=junit=" + junit, "-o=json=" + json);
    assertThat(err.toString()).isEmpty();
    assertThat(junit).content().contains("a?b");
    assertThat(json).content().contains("a?b");
  }

  /** As kubectl does, whatever the kind of the list is. */
  @Test
  void whatIsInItemsIsReviewed() throws Exception {
    var item = "-" + ReviewReadingTest.BAD.indent(2).substring(1);
    var list = "apiVersion: v1\nkind: ConfigMap\nitems:\n" + item;

    assertThat(withInput(list, "-", KNOWN)).isEqualTo(ExitCode.FOUND);
  }

  /** As of a pipe whose first command has failed. */
  @Test
  void aStandardInputWithoutAnObjectIsNotPassedOver() {
    assertThat(withInput("", "-", FAILED, KNOWN)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains("stdin:1: has no object");
    assertThat(withInput("", "-", "--known-invalid", "-")).isEqualTo(ExitCode.USAGE);
  }

  /** Kustomize adds one to each object, and the API server drops it. */
  @Test
  void aNamespaceOfAnObjectThatHasNoneMeansNothing() throws Exception {
    var failed =
        Files.readString(Path.of(FAILED)).replace("metadata:", "metadata:\n    namespace: x");

    assertThat(run(MANIFESTS, "--known-invalid", file("failed.yaml", failed)))
        .isEqualTo(ExitCode.FOUND);
  }

  @Test
  void noReportReplacesAFileThatIsReadOrAnotherReport() throws Exception {
    var manifest = file("manifest.yaml", Files.readString(Path.of(MANIFESTS)));
    var report = folder.resolve("report");

    assertThat(run(manifest, KNOWN, "-o=sarif=" + manifest)).isEqualTo(ExitCode.USAGE);
    assertThat(run(manifest, KNOWN, "-o=sarif=" + report, "-o=junit=" + report))
        .isEqualTo(ExitCode.USAGE);
    assertThat(Path.of(manifest)).hasSameTextualContentAs(Path.of(MANIFESTS));
  }

  @Test
  void noTextOfAManifestIsACommandToAPipeline() throws Exception {
    for (var command : List.of("##vso[task.complete]", "##[stop-commands]x")) {
      run(file(command + ".yaml", "kind: [\n"), KNOWN);

      assertThat(out.toString()).contains(command.substring(5)).doesNotContain(command);
    }
  }

  @Test
  void standardInputHasAPlaceInSarifToo() throws Exception {
    var manifest = Files.readString(Path.of(MANIFESTS));

    assertThat(withInput(manifest, "-", KNOWN, "-o", "sarif")).isEqualTo(ExitCode.FOUND);

    assertThat(sarifSchema().validate(out.toString(), InputFormat.JSON)).isEmpty();
    assertThat(out.toString()).contains("\"uri\" : \"stdin\"", "\"startLine\" : 10");
  }

  @Test
  void sarifNamesTheTemplateThatHelmMadeAnObjectFrom() throws Exception {
    var rendered =
        "---\n# Source: network/templates/a b.yaml\n%s---\n# Source: network/templates/c.yaml\n%s"
            .formatted("apiVersion: v1\nkind: ConfigMap\n", ReviewReadingTest.BAD);

    assertThat(withInput(rendered, "-", KNOWN, "-o", "sarif")).isEqualTo(ExitCode.FOUND);

    assertThat(sarifSchema().validate(out.toString(), InputFormat.JSON)).isEmpty();
    assertThat(out.toString())
        .contains("\"uri\" : \"network/templates/c.yaml\"", "\"startLine\" : 1")
        .doesNotContain("stdin");
  }

  @Test
  void anOverrideIsForTheUserThatHasItAndFilesHaveNone() throws Exception {
    var hash = "v1:edef141c861b834b1856501ad6c48ba18f6950d54c8f4c4309c5997ad53f2a58";
    var annotations = ", annotations: {shipshape.dev/allow-known-invalid: \"%s\"}}".formatted(hash);
    var overridden = ReviewReadingTest.BAD.replaceFirst("}", annotations);

    assertThat(withInput(overridden, "-", KNOWN)).isEqualTo(ExitCode.FOUND);

    assertThat(out.toString())
        .contains("is there, for users with the verb override on nodeconfigs.shipshape.dev")
        .doesNotContain("--user=");
  }

  @Test
  void whatCannotBeReadIsAResultOfSarif() throws Exception {
    var broken = file("broken.yaml", "kind: NodeConfig\nspec: [\n");

    assertThat(run(broken, KNOWN, "-o", "sarif")).isEqualTo(ExitCode.BAD_INPUT);

    var results = new ObjectMapper().readTree(out.toString()).at("/runs/0/results");
    assertThat(results.findValuesAsText("ruleId")).containsExactly("unreadable");
    assertThat(results.at("/0/level").asText()).isEqualTo("error");
    assertThat(results.at("/0/locations/0/physicalLocation/region/startLine").asInt()).isEqualTo(3);
  }

  @Test
  void sarifNamesAFileByItsPathInTheRepository() throws Exception {
    run(Path.of("pom.xml").toAbsolutePath().toString(), KNOWN, "-o", "sarif");

    assertThat(out.toString()).contains("\"uri\" : \"pom.xml\"");
  }

  @Test
  void aListIsReadAndWhatTheApiServerAsks() throws Exception {
    var review =
        """
        {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {
        \t"uid": "u", "name": "worker-9", "operation": "%s", "userInfo": {"username": "jane"},
        \t"resource": {"group": "network.schiff.telekom.de", "version": "v1alpha1",
        \t             "resource": "nodeconfigs"},
        \t"object": {"apiVersion": "network.schiff.telekom.de/v1alpha1", "kind": "NodeConfig",
        \t           "metadata": {"name": "worker-9"},
        \t           "spec": {"layer2": [{"vni": 10300, "mtu": 1500, "id": 300}]}}}}
        """;

    assertThat(withInput(review.formatted("CREATE"), "-", KNOWN)).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).startsWith("stdin:7: NodeConfig worker-9 refused (known-invalid)");
    assertThat(withInput(review.formatted("DELETE"), "-", KNOWN)).isEqualTo(ExitCode.OK);
    // Its second item, as itself, is known invalid.
    assertThat(run(FAILED, KNOWN)).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString())
        .contains("NodeConfig worker-7 refused")
        .doesNotContain("worker-1-invalid refused");
    var unknown = Files.readString(Path.of(FAILED)).replaceAll(" *creationTimestamp:.*\n", "");
    assertThat(run(FAILED, "--known-invalid", file("known.yaml", unknown)))
        .isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).doesNotContain("1970");
  }

  @Test
  void whatWasExportedFromAClusterCountsUntilItIsCleared() throws Exception {
    var exported =
        """
        apiVersion: shipshape.dev/v1alpha1
        kind: KnownInvalidConfiguration
        metadata: {name: nodeconfig.3ce4092b, annotations: {shipshape.dev/failed-at: "2026-10-01T02:03:04Z"}}
        spec:
          guard: nodeconfig
          hash: v1:3ce4092b99ae8db945b557a761f0ac4db4f8ec256a76851ba36e530babf5dac9
          verdict: %s
          reason: the switch went down
          source: {kind: NodeConfig, name: worker-5}
        """;

    assertThat(run(MANIFESTS, "--known-invalid", file("known.yaml", exported.formatted("Invalid"))))
        .isEqualTo(ExitCode.FOUND);
    assertThat(out.toString())
        .contains("worker-4 refused", "worker-5 (imported)", "the switch went down")
        .contains("invalid since 2026-10-01T02:03:04Z");
    assertThat(run(MANIFESTS, "--known-invalid", file("known.yaml", exported.formatted("Cleared"))))
        .isEqualTo(ExitCode.OK);
  }

  /** As of a cluster that has learned nothing: an empty file could be of a command that failed. */
  @Test
  void thatNothingIsKnownInvalidIsSaid() throws Exception {
    var list = file("known.yaml", "{apiVersion: v1, kind: List, items: []}\n");

    assertThat(run(MANIFESTS, "--known-invalid", list)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("note: nothing is known invalid");
    assertThat(run(MANIFESTS, "--known-invalid", file("empty.yaml", "")))
        .isEqualTo(ExitCode.BAD_INPUT);
  }

  /** kubectl get leaves out the managed fields, which tell what a status is about. */
  @Test
  void anObjectThatWasChangedBeforeItFailedIsKnownInvalidByItsDump() throws Exception {
    var failed = Files.readString(Path.of(FAILED));
    var dump = failed.replace("name: worker-7", "name: worker-7\n    generation: 4");

    assertThat(run(MANIFESTS, "--known-invalid", file("dump.yaml", dump)))
        .isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("equals worker-7");
  }

  /** Of several clusters, or of several months. */
  @Test
  void allThatSeveralDumpsCallInvalidIsKnownInvalidThoughTheirNamesAreTheSame() throws Exception {
    var object =
        """
        apiVersion: network.schiff.telekom.de/v1alpha1
        kind: NodeConfig
        metadata: {name: %s}
        spec: {layer2: [{id: %d, mtu: 1500, vni: 10300}]}
        """;
    var first = file("1.yaml", object.formatted("a", 1) + "status: {configStatus: invalid}\n");
    var second = file("2.yaml", object.formatted("a", 2) + "status: {configStatus: invalid}\n");
    for (var id = 1; id <= 2; id++) {
      var next = file("next.yaml", object.formatted("b", id));
      assertThat(run(next, "--known-invalid", first, "--known-invalid", second))
          .as("%s %s", id, err)
          .isEqualTo(ExitCode.FOUND);
    }
    var repaired = file("repaired.yaml", object.formatted("a", 3));
    var next = file("next.yaml", object.formatted("b", 1));
    assertThat(run(next, "--known-invalid", first, "--known-invalid", repaired))
        .isEqualTo(ExitCode.FOUND);
    assertThat(out + "" + err).doesNotContain("nothing is known invalid");

    var name = "a-invalid, ownerReferences: [{apiVersion: v1, kind: Node, name: a, uid: x}]";
    var one = file("one.yaml", object.formatted(name, 1));
    var other = file("other.yaml", object.formatted(name, 2));
    assertThat(run(MANIFESTS, "--known-invalid", one, "--known-invalid", other))
        .as("a record counts only while it exists")
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString())
        .contains("a-invalid", "another record of this name, with another configuration");
  }

  /** Its name ends like that of a list. */
  @Test
  void aGuardedKindWithTheNameOfAListIsKnownInvalidToo() throws Exception {
    var settings =
        file(
            "webhook.yaml",
            """
            apiVersion: shipshape.dev/v1
            guards:
            - name: prefixes
              resource: {group: example.com, version: v1, plural: prefixlists, kind: PrefixList}
              identity: {content: spec}
              invalidWhen: {field: status.state, equals: invalid}
            """);
    var failed =
        """
        apiVersion: example.com/v1
        kind: PrefixList
        metadata: {name: %s}
        spec: {entries: [a]}
        """;
    var known = file("known.yaml", failed.formatted("one") + "status: {state: invalid}\n");
    var next = file("next.yaml", failed.formatted("two"));

    assertThat(run(next, "--known-invalid", known, "--settings", settings))
        .as(err.toString())
        .isEqualTo(ExitCode.FOUND);
  }

  @Test
  void whatCannotBeReadIsNamedAndTheOthersAreReviewed() throws Exception {
    file("a.yaml", "- no object\n");
    file("b.json", "{\"kind\": \"x\", \"kind\": \"y\"}\n");
    file("c.yaml", "apiVersion: network.schiff.telekom.de/v2\nkind: NodeConfig\n");
    file("bomb.yaml", bomb());
    file("d.yml", Files.readString(Path.of(MANIFESTS)));
    file("readme.md", "not read");

    assertThat(run(folder.toString(), "/nowhere.yaml", KNOWN)).isEqualTo(ExitCode.BAD_INPUT);

    assertThat(out.toString())
        .contains(
            "a.yaml:1: is no object",
            "b.json:1: has kind twice",
            "bomb.yaml:",
            "/nowhere.yaml:1: there is no such file",
            "c.yaml:1: NodeConfig ?: only the API server converts v2 to the guard's v1alpha1",
            "NodeConfig worker-2 refused");
  }

  /** Nine times ten references to what has ten references. */
  @Test
  void anObjectThatSaysNotWhatItIsIsNotReadAndAMarkBeforeADocumentIsNone() throws Exception {
    var bad = "\ufeff" + ReviewReadingTest.BAD;
    var marked = file("marked.yaml", bad + "---\n" + bad);
    var nameless = file("nameless.yaml", "apiVersion: v1\nspec: {a: 1}\n");

    assertThat(run(marked, KNOWN)).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("2 reviewed");
    assertThat(run(nameless, KNOWN)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString()).contains("nameless.yaml:1: is an object without kind");
  }

  private static String bomb() {
    return "a0: &a0 [x]\n"
        + IntStream.range(1, 10)
            .mapToObj(
                level ->
                    "a%d: &a%d [%s]\n"
                        .formatted(
                            level,
                            level,
                            Stream.generate(() -> "*a" + (level - 1))
                                .limit(10)
                                .collect(Collectors.joining(", "))))
            .collect(Collectors.joining());
  }

  @Test
  void toKnowNothingInvalidIsWrongUsageAndNothingToReviewIsWrongIfThatIsSaid() throws Exception {
    var pod = file("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n");

    assertThat(run(MANIFESTS)).isEqualTo(ExitCode.USAGE);
    assertThat(run(pod, KNOWN)).isEqualTo(ExitCode.OK);
    assertThat(run(pod, KNOWN, "--fail-if-nothing-reviewed")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run(MANIFESTS, "--known-invalid", pod)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run(MANIFESTS, KNOWN, "-o", "xml")).isEqualTo(ExitCode.USAGE);
    assertThat(run(MANIFESTS, KNOWN, "-o", "json", "-o", "text")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void guardsOfOnesOwnAreGivenByTheSettings() throws Exception {
    var settings = widgets();
    var widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: %s}\nspec: {on: %s}\n";
    var bad = file("bad.yaml", widget.formatted("one", "yes") + "status: {state: bad}\n");
    var same = file("same.yaml", widget.formatted("two", "true"));
    var other = file("other.yaml", widget.formatted("two", "'yes'"));

    assertThat(run(same, "--known-invalid", bad, "--settings", settings)).isEqualTo(ExitCode.FOUND);
    assertThat(run(other, "--known-invalid", bad, "--settings", settings)).isEqualTo(ExitCode.OK);
  }

  /** As kubectl writes it. */
  @Test
  void whatNamesNoNamespaceIsOfTheDefaultOneOnBothSides() throws Exception {
    var text = Files.readString(Path.of(widgets())).replace("kind:", "namespaced: true, kind:");
    var settings = file("namespaced.yaml", text);
    var widget =
        "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: %s}\nspec: {on: yes}\n";
    var bad = file("bad.yaml", widget.formatted("one") + "status: {state: bad}\n");
    var same = file("same.yaml", widget.formatted("two"));

    assertThat(run(same, "--known-invalid", bad, "--settings", settings)).isEqualTo(ExitCode.FOUND);
  }

  @Test
  void whatIsInvalidByAGuardThatIsNotGivenIsNotGreen() throws Exception {
    var entry =
        """
        apiVersion: shipshape.dev/v1alpha1
        kind: KnownInvalidConfiguration
        metadata: {name: widgets.%1$s}
        spec:
          {guard: widgets, hash: "v1:%1$s", verdict: Invalid, reason: r, source: {kind: Widget, name: a}}
        """;
    var known =
        file(
            "known.yaml",
            entry.formatted("0".repeat(64)) + "---\n" + entry.formatted("1".repeat(64)));

    assertThat(run(MANIFESTS, "--known-invalid", known)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString().lines().filter(line -> line.contains("--settings FILE")))
        .as("one for all of its entries")
        .singleElement()
        .asString()
        .startsWith(known + ":1: ")
        .contains("guard widgets");
    assertThat(run(MANIFESTS, "--known-invalid", known, "--settings", widgets()))
        .isEqualTo(ExitCode.OK);
  }

  /** The API server converts it before it asks the webhook. */
  @Test
  void anObjectInAnotherVersionThanItsGuardsIsNotJudged() throws Exception {
    var widget = "apiVersion: example.com/%s\nkind: Widget\nmetadata: {name: a}\nspec: {on: %s}\n";
    var bad = widget + "status: {state: bad}\n";
    var good = file("good.yaml", widget.formatted("v1beta1", "true"));
    var known = file("known.yaml", bad.formatted("v1", "false"));
    var old = file("old.yaml", bad.formatted("v1beta1", "true"));

    assertThat(run(good, "--known-invalid", known, "--settings", widgets()))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString().lines().filter(line -> line.startsWith(good)))
        .singleElement()
        .asString()
        .startsWith(good + ":1: Widget a: ")
        .contains("converts v1beta1 to the guard's v1")
        .doesNotContain("refused");
    var same = file("same.yaml", widget.formatted("v1", "true"));
    assertThat(run(same, "--known-invalid", old, "--settings", widgets()))
        .as("what it makes known invalid is not known")
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(out.toString().lines().filter(line -> line.startsWith(old)))
        .singleElement()
        .asString()
        .contains("converts v1beta1 to the guard's v1");
  }

  private String widgets() throws Exception {
    return file(
        "webhook.yaml",
        """
        apiVersion: shipshape.dev/v1
        guards:
        - name: widgets
          resource: {group: example.com, version: v1, plural: widgets, kind: Widget}
          invalidWhen: {field: status.state, equals: bad}
          identity: {content: spec}
        """);
  }

  @Test
  void whatOthersWroteMovesNothingOnTheTerminal() throws Exception {
    var name = "\"w\\e[2J\\x9b2J\\u202e\\u200f\\n::error::x\"";
    var manifest =
        "apiVersion: network.schiff.telekom.de/v1alpha1\nkind: NodeConfig\nmetadata: {name: %s}\n"
                .formatted(name)
            + "spec:\n  layer2: [{id: 300, mtu: 1500, vni: 10300}]\n";

    assertThat(run(file("hostile.yaml", manifest), KNOWN, "-o", "github"))
        .isEqualTo(ExitCode.FOUND);

    assertThat(out.toString().lines()).hasSize(1);
    assertThat(out.toString()).doesNotContain("\u001b", "\u009b", "\u202e", "\u200f");
  }

  private String file(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private static JsonSchema sarifSchema() {
    var schema = SarifSchema210.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json");
    return JsonSchemaFactory.getInstance(VersionFlag.V7).getSchema(schema);
  }

  private int withInput(String text, String... arguments) {
    var before = System.in;
    System.setIn(new ByteArrayInputStream(text.getBytes(UTF_8)));
    try {
      return run(arguments);
    } finally {
      System.setIn(before);
    }
  }

  @Override
  int run(String... arguments) {
    var all = Stream.concat(Stream.of("review"), Stream.of(arguments)).toArray(String[]::new);
    return super.run(all);
  }
}
