package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Install and upgrade on a real API server; Helm is a script. */
@ExtendWith(ControlPlaneExtension.class)
class DeployCommandsTest {
  private final ControlPlane cluster;
  private final String namespace;
  private FaultyApi faulty;
  private KubernetesClient client;
  private String said = "";
  private String settings = "";

  @TempDir private Path folder = Path.of("");

  DeployCommandsTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.namespace("deploy");
  }

  @BeforeEach
  void start() throws IOException {
    faulty = FaultyApi.start(cluster);
    client = ApiConnection.open(cluster.kubeconfig(), null);
  }

  @AfterEach
  void stop() {
    client.close();
    faulty.close();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | restart: {cooldown: 1m} | operators[0].signature: the cooldown, 1m 0s, must",
        "drain: 5 | '' | drain: ",
        "mood: good | '' | mood: unknown field",
      })
  void anUpgradeToSettingsThatAServerRefusesChangesNothing(
      String webhook, String janitor, String named) throws Exception {
    helm(webhook.isEmpty() ? "" : "guards: [{preset: nodeconfig}]\n" + webhook, janitor);

    var exit = run("upgrade", "--timeout", "1s");

    assertThat(exit).as(said).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(said.lines())
        .anyMatch(
            line -> line.matches(".*yaml as rendered:\\d+: .*") && line.contains(": " + named));
    assertThat(upgrades()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"install", "upgrade"})
  void aMistypedFieldInAGuardOfOnesOwnFailsInADryRun(String command) throws Exception {
    helm(
        """
        guards:
        - preset: nodeconfig
        - preset: t-caas
        - name: widgets
          resource: {group: example.com, version: v1, plural: widgets, kind: Widget}
          identity: {content: spec}
          invalidWhen: {field: status.state, equal: invalid}
        """,
        "",
        command.equals("upgrade"));

    var exit = run(command, "--dry-run");

    assertThat(exit).as(said).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(said.lines())
        .anyMatch(line -> line.contains(": guards[2].invalidWhen.equal: unknown field"))
        .anyMatch(line -> line.contains(": guards[2].invalidWhen.equals: is required"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "--arm guard=widgets | --set=guard.custom.widgets.armed=true",
        "--disarm guard=gears,pruning | --set=guard.custom.gears.armed=false",
      })
  void aGuardIsArmedByItsNameAndSoByItsValue(String option, String set) throws Exception {
    helm("guards: [{preset: nodeconfig}]", "prune: {armed: true}");
    var isArmed = option.startsWith("--arm");
    rendered(settings + (isArmed ? "---\n" + wish("Fail") : ""));

    var exit = run("upgrade", ("--dry-run " + option).split(" "));

    // What is to be armed is tried, and here nothing is registered.
    assertThat(exit).as(said).isEqualTo(isArmed ? ExitCode.FOUND : ExitCode.OK);
    assertThat(calls())
        .anyMatch(call -> call.contains(" --dry-run=server ") && call.contains(" " + set));
  }

  /** Helm's standard input is ours, for the defaults of an installation. */
  @ParameterizedTest
  @CsvSource({
    "-f, -",
    "-f, /dev/stdin",
    "-f, /proc/self/fd/0",
    "-f, /dev/fd/63",
    "--set-file, a.b=/dev/stdin"
  })
  void valuesOfStandardInputAreRefused(String option, String file) throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");

    assertThat(run("upgrade", option, file)).as(said).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(said).contains("values cannot be read from standard input");
    assertThat(upgrades()).isEmpty();
  }

  @Test
  void everyWayToSayAValueIsHandedOnToHelm() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    var values =
        List.of(
            "--values=https://example.com/values.yaml",
            "--set-json=d=[4, {\"e\": 5}]",
            "--set=a=1,b=2",
            "--set-string=c=3",
            "--set-file=certificates.caBundle=ca.crt");

    run(
        "upgrade",
        Stream.concat(Stream.of("--dry-run"), values.reversed().stream()).toArray(String[]::new));

    assertThat(calls()).anyMatch(call -> call.contains(" " + String.join(" ", values)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "--disarm guard, false",
    "--disarm guard=widgets, false",
    "--disarm guard --dry-run, true",
    "--disarm pruning, true",
    "--arm pruning, true",
    "--arm guard, true"
  })
  void whatDisarmedAllGuardsAtOnceEndsWithAnUpgradeThatArmsNone(String options, boolean stays)
      throws Exception {
    helm("guards: [{preset: nodeconfig}]", "prune: {armed: false}");
    var path = "/api/v1/namespaces/%s/configmaps".formatted(namespace);
    client.raw(path, "POST", "{\"metadata\": {\"name\": \"shipshape-disarmed\"}}");

    run("upgrade", ("--timeout 0s " + options).split(" "));

    assertThat(client.raw(path + "/shipshape-disarmed") != null).as(said).isEqualTo(stays);
  }

  @Test
  void whatDisarmedAllGuardsAtOnceStaysWhereHelmFails() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    plugin()
        .helm(
            Files.readString(folder.resolve("script"))
                + "case \"$*\" in *--dry-run*) ;; upgrade*) echo 'timed out' >&2; exit 1 ;; esac");
    var path = "/api/v1/namespaces/%s/configmaps".formatted(namespace);
    client.raw(path, "POST", "{\"metadata\": {\"name\": \"shipshape-disarmed\"}}");

    var exit = run("upgrade", "--timeout", "0s", "--disarm", "guard");

    assertThat(exit).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(client.raw(path + "/shipshape-disarmed")).as(said).isNotNull();
  }

  /** By the values it is armed all the time, but nobody has tried it since. */
  @ParameterizedTest
  @ValueSource(strings = {"--arm guard", "--arm guard=widgets", "--arm guard --untried"})
  void aGuardThatWasDisarmedAtOnceIsNotArmedBeforeItWarnsAgain(String options) throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    Files.writeString(folder.resolve("installed"), wish("Fail"));
    rendered(settings + "---\n" + wish("Fail"));
    client.raw(
        "/api/v1/namespaces/%s/configmaps".formatted(namespace),
        "POST",
        "{\"metadata\": {\"name\": \"shipshape-disarmed\"}}");

    var exit = run("upgrade", ("--timeout 0s " + options).split(" "));

    assertThat(exit).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(said).contains("FAILED: DISARMED by", "to try it before: upgrade --disarm guard");
    assertThat(upgrades()).isEmpty();
    assertThat(client.configMaps().inNamespace(namespace).withName("shipshape-disarmed").get())
        .isNotNull();
  }

  /** Whatever the manifest said before: somebody may have deleted its registration. */
  @Test
  void aGuardThatIsToBeArmedIsTriedThoughTheReleaseHasItArmedAlready() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    Files.writeString(folder.resolve("installed"), wish("Fail"));
    rendered(settings + "---\n" + wish("Fail"));

    var exit = run("upgrade", "--timeout", "0s", "--arm", "guard");

    assertThat(exit).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(said).contains("the release has no ValidatingWebhookConfiguration");
    assertThat(upgrades()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"guard", "guard --disarm guard=gears", "guard=widgets", "restarts"})
  void anArmingThatWouldArmNoneIsRefused(String arm) throws Exception {
    helm(
        "guards: [{preset: nodeconfig}]",
        """
        operators: [{name: a, container: a, signature: cfs-1.4, ownsSessions: true}]
        restart: {armed: true}
        """);

    var exit = run("upgrade", ("--timeout 0s --arm " + arm).split(" "));

    assertThat(exit).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(said)
        .contains("FAILED: %s: there is nothing here that it arms".formatted(arm.split(" ")[0]));
    assertThat(upgrades()).isEmpty();
  }

  /** Objects of nodes are of both modes of the operator; t-caas refuses revisions only. */
  @Test
  void aPresetIsChosenByWhatItRefuses() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "", false);
    faulty.always(
        request -> request.equals("GET /apis/network.t-caas.telekom.com/v1alpha1"),
        FaultyApi.respondWith(
            """
            {"kind": "APIResourceList", "groupVersion": "network.t-caas.telekom.com/v1alpha1",
             "resources": [{"name": "nodenetworkconfigs", "kind": "NodeNetworkConfig"}]}
            """));

    run("install", "--dry-run");

    assertThat(said).doesNotContain("t-caas");
  }

  @Promise(
      value =
          "`--arm guard` arms a guard of a preset only once it was tested through the API server.",
      breaks = "Trusting a ready Deployment.")
  @ParameterizedTest(name = "now {0}, then {1}")
  @CsvSource({"Ignore, Fail, false", "Fail, Fail, true", "Fail, Ignore, true"})
  void aGuardThatIsNotSeenToWorkIsNotArmed(String now, String next, boolean upgrades)
      throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    Files.writeString(folder.resolve("installed"), wish(now));
    rendered(wish(next));

    var exit = run("upgrade", "--timeout", "0s");

    assertThat(exit).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(upgrades().isEmpty()).as(said).isNotEqualTo(upgrades);
    assertThat(said).contains("the release has no ValidatingWebhookConfiguration");
  }

  private static String wish(String policy) {
    return """
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: guard, namespace: here}
    data:
      validating.yaml: |
        webhooks:
        - {name: nodeconfig.validate.shipshape.dev, failurePolicy: %1$s}
        - {name: widgets.validate.shipshape.dev, failurePolicy: %1$s}
    """
        .formatted(policy);
  }

  @Test
  void goodSettingsAreNoHindranceAndHelmIsAskedEachThingOnce() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "restart: {cooldown: 15m}");

    assertThat(run("upgrade", "--timeout", "0s")).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(said).as("its guard was not seen to work").contains("to go back: helm rollback");
    assertThat(calls()).as("each Helm process takes a while").hasSize(4);
    assertThat(upgrades())
        .singleElement()
        .asString()
        .contains(" --wait ", " --timeout=0s ", " --reset-then-reuse-values ");
  }

  /** Helm's own way to reuse values takes those of the last revision that was deployed. */
  @Test
  void theValuesOfAFailedRevisionAreKept() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    plugin()
        .helm(
            Files.readString(folder.resolve("script"))
                    .replace("'revision: 3'", "'revision: 3'; echo 'status: failed'")
                + """
                case "$*" in
                  "get values %1$s -o yaml"*) echo 'pruning: {armed: false, secret: S3CRET}' ;;
                  upgrade*--dry-run*) cat >'%2$s/dry' ;;
                  upgrade*" --reset-values "*" --values=- --set=a=b "*) cat >'%2$s/kept' ;;
                esac
                """
                    .formatted(namespace, folder));

    run("upgrade", "--set", "a=b", "--timeout", "0s");

    assertThat(folder.resolve("dry")).hasContent("pruning: {armed: false, secret: S3CRET}");
    assertThat(folder.resolve("kept")).hasContent("pruning: {armed: false, secret: S3CRET}");
    assertThat(said)
        .contains("the last revision has failed; its values are kept: helm get values")
        .contains("> helm get values " + namespace, " | helm upgrade ")
        .doesNotContain("S3CRET");
  }

  /** A colleague's plugin may be older than the release. */
  @Test
  void anotherVersionOfTheChartIsNamed() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    Files.writeString(
        folder.resolve("rendered"),
        Files.readString(folder.resolve("rendered"))
            .replaceFirst("\\{", "{\"chart\": {\"metadata\": {\"version\": \"0.1.0\"}}, "));
    plugin()
        .helm(
            Files.readString(folder.resolve("script"))
                .replace("'revision: 3'", "'revision: 3'; echo 'version: 0.2.0'"));

    run("upgrade", "--dry-run");

    assertThat(said.lines())
        .containsSubsequence("What changes", "  ~ the chart's version: 0.2.0 -> 0.1.0");
  }

  /** Helm would replace the chart, and delete all other objects of the release. */
  @ParameterizedTest
  @ValueSource(strings = {"install", "upgrade"})
  void aReleaseOfAnotherChartIsLeftAlone(String command) throws Exception {
    plugin().helm("[ \"$2\" != metadata ] || printf 'name: x\\nchart: umbrella\\n'");

    assertThat(run(command)).as(said).isEqualTo(ExitCode.COULD_NOT_RUN);

    assertThat(said).contains("is a release of the chart umbrella");
    assertThat(upgrades()).isEmpty();
  }

  /** Helm would replace all objects of the release by those of the chart. */
  @Test
  void aChartOfAnotherNameIsNotApplied() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    Files.writeString(
        folder.resolve("rendered"),
        "{\"manifest\": \"\", \"chart\": {\"metadata\": {\"name\": \"other\"}}}");

    assertThat(run("upgrade")).as(said).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(said).contains("chart is the chart other, not shipshape");
    assertThat(upgrades()).isEmpty();
  }

  /** Helm would begin anew, with the chart's values. */
  @Test
  void aReleaseOfWhichHelmHasOnlyTheHistoryIsNotUpgraded() throws Exception {
    plugin().helm("[ \"$2\" != metadata ] || printf 'name: x\\nstatus: uninstalled\\n'");

    assertThat(run("upgrade")).as(said).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(said).contains("there is no release " + namespace, "shipshape install");
    assertThat(upgrades()).isEmpty();
  }

  @Test
  void whatHelmSaysIsReadWhileItSaysItOnBothStreams() throws Exception {
    plugin().helm("head -c 300000 /dev/zero >&2; echo; exit 1");

    assertThat(run("upgrade")).isEqualTo(ExitCode.COULD_NOT_RUN);
  }

  @Test
  void valuesThatMayBeSecretAreNotPrinted() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");

    run(
        "upgrade",
        "--set",
        "janitor.extraEnv[0].value=a\nS3CRET",
        "--set-json",
        "{\"commonLabels\": {\"a\": \"S3CRET\"}}",
        "--set",
        "crds.enabled=false");

    assertThat(said)
        .contains("> helm upgrade", "janitor.extraEnv[0].value=...", "crds.enabled=false")
        .doesNotContain("S3CRET");
    assertThat(upgrades()).singleElement().asString().contains("S3CRET");
  }

  @Test
  void theChartsNotesAreShownWithTheChartInTheirCommands() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "sessions: {namespace: %s-gone}".formatted(namespace));
    plugin()
        .helm(
            Files.readString(folder.resolve("script"))
                + "case \"$*\" in *--dry-run*) ;; upgrade*) printf 'NAME: x\\n"
                + "NOTES:\\n"
                + "next: helm upgrade x CHART -n y\\n"
                + "' ;; esac");

    run("upgrade", "--timeout", "0s");

    assertThat(said.lines())
        .containsSubsequence("The chart's notes", "  next: helm upgrade x chart -n y")
        .noneMatch(line -> line.contains("NOTES") || line.contains("NAME: x"));
  }

  @Test
  void aRolloutThatFailsIsReportedWithTheReasonAndTheWayBack() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    plugin()
        .helm(
            Files.readString(folder.resolve("script"))
                + "case \"$*\" in *--dry-run*) ;; upgrade*) echo 'timed out' >&2; exit 1 ;; esac");
    // Only a Helm that took all its time did not get ready.
    var pod =
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "again", "labels": {
          "shipshape.dev/release": "%s"}},
         "spec": {"automountServiceAccountToken": false,
                  "containers": [{"name": "webhook", "image": "none"}]}}
        """
            .formatted(namespace);
    client.raw("/api/v1/namespaces/%s/pods".formatted(namespace), "POST", pod);
    var status =
        """
        {"status": {"phase": "Running", "containerStatuses": [{"name": "webhook", "ready": false,
          "restartCount": 2, "image": "none", "imageID": "",
          "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off"}},
          "lastState": {"terminated": {"exitCode": 3, "message": "webhook.yaml:7: bad"}}}]}}
        """;
    client
        .pods()
        .inNamespace(namespace)
        .withName("again")
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), status);

    var exit = run("upgrade", "--timeout", "0s");

    assertThat(exit).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(said.lines())
        .containsSubsequence(
            "  timed out",
            "  again/webhook: CrashLoopBackOff back-off; its last lines:",
            "    webhook.yaml:7: bad")
        .anyMatch(
            line ->
                line.startsWith(
                    "  to go back: helm rollback %1$s 3 -n %1$s ".formatted(namespace)));
  }

  @Test
  void anUpgradeThatHelmBreaksOffSaysTheWayBack() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    var script =
        Files.readString(folder.resolve("script"))
            + "case \"$*\" in *--dry-run*) ;; upgrade*) echo 'Error: calling webhook x: context"
            + " deadline exceeded' >&2; exit 1 ;; esac";
    plugin().helm(script);

    assertThat(run("upgrade")).as(said).isEqualTo(ExitCode.COULD_NOT_RUN);

    assertThat(said.lines())
        .anyMatch(line -> line.startsWith("  to go back: helm rollback " + namespace + " 3 "))
        .anyMatch(line -> line.matches("shipshape: could not upgrade .*deadline exceeded"))
        .noneMatch(line -> line.contains("not ready"));

    plugin().helm(script.replace("'revision: 3'", "'revision: 3'; echo 'status: failed'"));
    run("upgrade");

    assertThat(said)
        .contains("helm rollback, to a revision that was deployed; helm history " + namespace);
  }

  private void helm(String webhook, String janitor) throws IOException {
    helm(webhook, janitor, true);
  }

  /** A Helm that renders these settings and records its calls. */
  private void helm(String webhook, String janitor, boolean hasRelease) throws IOException {
    settings =
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings, namespace: here}
        data:
        """
            + settings("webhook.yaml", webhook)
            + settings("janitor.yaml", janitor);
    rendered(settings);
    var script =
        """
        case "$*" in
          "get metadata"*) %2$s; echo 'name: x'; echo 'revision: 3' ;;
          "get manifest"*) cat '%1$s/installed' 2>/dev/null || : ;;
          *--dry-run=server*) cat '%1$s/rendered' ;;
        esac
        """
            .formatted(folder, hasRelease ? ":" : "echo 'release: not found' >&2; exit 1");
    Files.writeString(folder.resolve("script"), script);
    plugin().helm(script);
  }

  private void rendered(String manifest) throws IOException {
    var dryRun = new ObjectMapper().createObjectNode().put("manifest", manifest);
    Files.writeString(folder.resolve("rendered"), dryRun.toString());
  }

  /** The calls that change something. */
  private List<String> upgrades() throws IOException {
    return calls().stream()
        .filter(call -> call.startsWith("upgrade") && !call.contains("--dry-run"))
        .toList();
  }

  private static String settings(String file, String text) {
    return text.isEmpty()
        ? ""
        : "  %s: |\n    apiVersion: shipshape.dev/v1\n%s".formatted(file, text.indent(4));
  }

  private PluginRun plugin() {
    return new PluginRun(folder, namespace, faulty.address());
  }

  private List<String> calls() throws IOException {
    return plugin().calls();
  }

  private int run(String command, String... more) throws Exception {
    var line = new ArrayList<>(List.of(command, namespace, "-n", namespace, "--chart", "chart"));
    line.addAll(List.of(more));
    var ended = plugin().run(line.toArray(String[]::new));
    said = ended.said();
    return ended.exit();
  }
}
