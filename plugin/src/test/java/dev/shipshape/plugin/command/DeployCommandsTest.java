package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Install and upgrade as processes, on a real API server; Helm is a script. */
@ExtendWith(ControlPlaneExtension.class)
class DeployCommandsTest {
  private static final Path VALUES = Path.of("..", "chart", "values.yaml").toAbsolutePath();

  private static final String THREE_GUARDS =
      """
      guards:
      - preset: nodeconfig
      - name: widgets
        resource: {group: example.com, version: v1, plural: widgets, kind: Widget}
        identity: {content: spec}
        invalidWhen: {field: status.state, equals: invalid}
      - name: gears
        resource: {group: example.com, version: v1, plural: gears, kind: Gear}
        identity: {content: spec}
        invalidWhen: {field: status.state, equals: invalid}
      """;

  private final ControlPlane cluster;
  private final String namespace;
  private FaultyApi faulty;
  private KubernetesClient client;
  private String said = "";

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
        "restart: {cooldown: 1m} | restarts.cooldown: must not be shorter than operator.window",
        "restart: {waitForPruned: 3m} | restarts.settings.waitForPruned: must be 2m or less",
        "operator: {silence: {after: 1m}} |"
            + " operator.settings.silence.after: must not be shorter",
        "prune: {grace: 5} | pruning.grace: ",
        "sessions: {rest: {address: cray-cfs-api}} | sessions.rest.address: not an address",
      })
  void anUpgradeToSettingsThatTheJanitorRefusesChangesNothing(String settings, String named)
      throws Exception {
    helm("", settings);

    var exit = run("upgrade", "--timeout", "1s");

    assertThat(exit).as(said).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(said.lines()).anyMatch(line -> line.startsWith(named));
    assertThat(calls()).noneMatch(call -> call.startsWith("upgrade"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "drain: 5 | guard.drainSeconds: ",
        "scope: everywhere | guard.scope: must be one of",
        "mood: good | guard.settings.mood: unknown field",
        "certificates: {source: self-managed, leaf: {live: 9d}} |"
            + " certificates.settings.leaf.live: unknown field",
      })
  void anUpgradeToSettingsThatTheWebhookRefusesChangesNothing(String settings, String named)
      throws Exception {
    helm("guards: [{preset: nodeconfig}]\n" + settings, "");

    var exit = run("upgrade", "--timeout", "1s");

    assertThat(exit).as(said).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(said.lines()).anyMatch(line -> line.startsWith(named));
    assertThat(calls()).noneMatch(call -> call.startsWith("upgrade"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"install", "upgrade"})
  void aMistypedFieldInAGuardOfOnesOwnFailsInADryRunByTheNameOfItsValue(String command)
      throws Exception {
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
        .anyMatch(line -> line.startsWith("guard.custom[0].invalidWhen.equal: unknown field"))
        .anyMatch(line -> line.startsWith("guard.custom[0].invalidWhen.equals: is required"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "--arm guard=widgets | --set=guard.custom[0].armed=true",
        "--disarm guard=gears,pruning | --set=guard.custom[1].armed=false",
        "--arm guard=nodeconfig | --set=guard.armed=true",
      })
  void aGuardIsArmedByItsNameAndSoByItsValue(String option, String set) throws Exception {
    helm(THREE_GUARDS, "prune: {armed: true}");

    var exit = run("upgrade", ("--dry-run " + option).split(" "));

    // What is to be armed is tried, and here nothing is registered.
    var isArmed = option.startsWith("--arm");
    assertThat(exit).as(said).isEqualTo(isArmed ? ExitCode.FOUND : ExitCode.OK);
    assertThat(calls()).anyMatch(call -> call.startsWith("template ") && call.contains(" " + set));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "--arm guard=nodes | there is no guard=nodes; the guards are: nodeconfig, widgets, gears",
      })
  void aGuardThatIsNotThereIsAWrongCommandLine(String options, String told) throws Exception {
    helm(THREE_GUARDS, "");

    var exit = run("upgrade", ("--timeout 1s " + options).split(" "));

    assertThat(exit).as(said).isEqualTo(ExitCode.USAGE);
    assertThat(said).contains("shipshape: " + told);
    assertThat(calls()).noneMatch(call -> call.startsWith("upgrade"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "--disarm guard, false",
    "--disarm guard=nodeconfig, false",
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

  /** By the values it is armed all the time, but nobody has tried it since. */
  @ParameterizedTest
  @ValueSource(strings = {"--arm guard", "--arm guard=nodeconfig", "--arm guard --untried"})
  void aGuardThatWasDisarmedAtOnceIsNotArmedBeforeItWarnsAgain(String options) throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    Files.writeString(folder.resolve("installed"), wish("Fail"));
    Files.writeString(
        folder.resolve("rendered"),
        Files.readString(folder.resolve("rendered")) + "---\n" + wish("Fail"));
    client.raw(
        "/api/v1/namespaces/%s/configmaps".formatted(namespace),
        "POST",
        "{\"metadata\": {\"name\": \"shipshape-disarmed\"}}");

    var exit = run("upgrade", ("--timeout 0s " + options).split(" "));

    assertThat(exit).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(said).contains("cannot be tried", "--disarm guard");
    assertThat(calls()).noneMatch(call -> call.startsWith("upgrade"));
    assertThat(client.configMaps().inNamespace(namespace).withName("shipshape-disarmed").get())
        .isNotNull();
  }

  /** Whatever the manifest said before: somebody may have deleted its registration. */
  @Test
  void aGuardThatIsToBeArmedIsTriedThoughTheReleaseHasItArmedAlready() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    Files.writeString(folder.resolve("installed"), wish("Fail"));

    var exit = run("upgrade", "--timeout", "0s", "--arm", "guard");

    assertThat(exit).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(said).contains("the release has no ValidatingWebhookConfiguration");
    assertThat(calls()).noneMatch(call -> call.startsWith("upgrade"));
  }

  @ParameterizedTest(name = "now {0}, then {1}")
  @CsvSource({"Ignore, Fail, false", "Fail, Fail, true", "Fail, Ignore, true"})
  void aGuardThatIsNotSeenToWorkIsNotArmed(String now, String next, boolean upgrades)
      throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    Files.writeString(folder.resolve("installed"), wish(now));
    Files.writeString(folder.resolve("rendered"), wish(next));

    var exit = run("upgrade", "--timeout", "0s");

    assertThat(exit).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(calls().stream().anyMatch(call -> call.startsWith("upgrade")))
        .as(said)
        .isEqualTo(upgrades);
    assertThat(said.contains("the release has no ValidatingWebhookConfiguration"))
        .isEqualTo(!upgrades);
  }

  private static String wish(String policy) {
    return """
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: guard, namespace: here}
    data:
      validating.yaml: |
        webhooks: [{name: nodeconfig.validate.shipshape.dev, failurePolicy: %s}]
    """
        .formatted(policy);
  }

  @Test
  void goodSettingsAreNoHindranceAndHelmIsAskedEachThingOnce() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "restart: {cooldown: 15m}");

    assertThat(run("upgrade", "--timeout", "0s")).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(calls()).as("each Helm process takes a while").hasSizeLessThanOrEqualTo(6);
  }

  @Test
  void aRolloutThatFailsIsToldWithTheLastLinesOfWhatCrashedAndTheWayBack() throws Exception {
    helm("guards: [{preset: nodeconfig}]", "");
    crash("again", "{\"waiting\": {\"reason\": \"CrashLoopBackOff\", \"message\": \"back-off\"}}");
    crash("running", "{\"running\": {}}");
    faulty.always(
        request -> request.contains("/pods/again/log") && !request.contains("previous=true"),
        FaultyApi.say("webhook.yaml:7: cannot go on\nBye.\n"));
    faulty.always(
        request -> request.contains("/pods/running/log") && request.contains("previous=true"),
        FaultyApi.say("the port is taken\n"));

    var exit = run("upgrade", "--timeout", "1s");

    assertThat(exit).as(said).isEqualTo(ExitCode.FOUND);
    assertThat(said.lines())
        .containsSubsequence(
            "  again/webhook ended; its last lines:",
            "    webhook.yaml:7: cannot go on",
            "    Bye.",
            "  running/webhook ended; its last lines:",
            "    the port is taken")
        .anyMatch(
            line ->
                line.startsWith(
                    "  to go back: helm rollback %1$s 3 -n %1$s ".formatted(namespace)));
  }

  /** A pod of the release whose only container ended at least once; nobody runs it. */
  private void crash(String name, String state) {
    var pods = "/api/v1/namespaces/%s/pods".formatted(namespace);
    var pod =
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "labels": {
          "app.kubernetes.io/instance": "%s", "app.kubernetes.io/part-of": "shipshape",
          "app.kubernetes.io/component": "webhook"}},
         "spec": {"automountServiceAccountToken": false,
                  "containers": [{"name": "webhook", "image": "none"}]}}
        """
            .formatted(name, namespace);
    client.raw(pods, "POST", pod);
    var status =
        """
        {"status": {"phase": "Running", "containerStatuses": [{"name": "webhook", "ready": false,
          "restartCount": 2, "image": "none", "imageID": "", "state": %s,
          "lastState": {"terminated": {"exitCode": 3}}}]}}
        """
            .formatted(state);
    client
        .pods()
        .inNamespace(namespace)
        .withName(name)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), status);
  }

  private void helm(String webhook, String janitor) throws IOException {
    helm(webhook, janitor, true);
  }

  /** A Helm that renders these settings and writes down how it is called. */
  private void helm(String webhook, String janitor, boolean hasRelease) throws IOException {
    Files.writeString(
        folder.resolve("rendered"),
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings, namespace: here}
        data:
        """
            + settings("webhook.yaml", webhook)
            + settings("janitor.yaml", janitor));
    plugin()
        .helm(
            """
            case "$1 $2" in
              "version "*) echo v4.3.1 ;;
              "get metadata") %2$s; echo 'name: x'; echo 'revision: 3' ;;
              "get manifest") cat '%1$s/installed' 2>/dev/null || : ;;
              "get values") echo '{}' ;;
              "show values") cat '%3$s' ;;
              "template "*) cat '%1$s/rendered' ;;
            esac
            """
                .formatted(
                    folder, hasRelease ? ":" : "echo 'release: not found' >&2; exit 1", VALUES));
  }

  private static String settings(String file, String text) {
    return text.isEmpty()
        ? ""
        : "  %s: |\n    apiVersion: shipshape.dev/v1\n%s".formatted(file, text.indent(4));
  }

  private PluginProcess plugin() {
    return new PluginProcess(folder, faulty.address());
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
