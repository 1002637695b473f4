package dev.shipshape.plugin.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Definitions;
import dev.shipshape.sandbox.Kubeconfig;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class PruneCommandTest extends WithCommands {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder = Path.of("");
  private ControlPlane controlPlane;
  private HttpClient http;
  private String namespace;
  private Path settings;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws Exception {
    this.controlPlane = controlPlane;
    this.http = controlPlane.adminHttpClient();
    this.namespace = names.namespace("prune");
    this.settings =
        Files.writeString(
            folder.resolve("janitor.yaml"),
            "apiVersion: shipshape.dev/v1\nsessions: {namespace: %s, source: custom-resources}\nprune: {clockTolerance: 1h}\n"
                .formatted(namespace));
    apply("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Definitions.sessions());
    Eventually.holds(
        "the sessions are served", () -> send("GET", sessions(), "").statusCode() == 200);
  }

  @AfterEach
  void close() {
    http.close();
  }

  @Promise(
      value = "`prune` deletes nothing before it is confirmed.",
      breaks = "Asking after the first deletion.")
  @Test
  void whatWouldGoIsShownAndGoesOnlyOnceItIsConfirmed() throws Exception {
    create(batcher(1), "complete");
    create(batcher(2), "complete");
    create(batcher(3), "running");
    create("boa-1", "complete");

    assertThat(prune()).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("SESSION", namespace + "/" + batcher(1), namespace + "/" + batcher(2), "30d 0h")
        .contains("2 of 4 sessions would be deleted (2 eligible)")
        .contains("2 stay (the command sessions shows each): name=1, state=1")
        .contains("Nothing was deleted. To delete them, add --confirm.");
    assertThat(names()).hasSize(4);

    change(batcher(2), "{\"metadata\": {\"annotations\": {\"shipshape.dev/keep\": \"\"}}}");
    assertThat(prune("--confirm")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("{gone=1}");
    assertThat(names()).as("judged again").containsExactly(batcher(2), batcher(3), "boa-1");

    assertThat(prune("--confirm")).as("again").isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("nothing to delete");
    assertThat(names()).hasSize(3);
  }

  @Test
  void aFailedSessionStaysLongerAndTheReasonSaysSo() throws Exception {
    create(batcher(1), "complete", 8);
    create(batcher(2), "complete", 8);
    change(batcher(2), "{\"spec\": {\"status\": {\"session\": {\"succeeded\": \"true\"}}}}");

    assertThat(prune()).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains(batcher(2))
        .contains("1 stay (the command sessions shows each): failed=1");
    assertThat(command("sessions", "--settings", settings.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines().filter(line -> line.contains(batcher(1))).toList())
        .singleElement()
        .asString()
        .contains("keep", "failed");
  }

  /** As outside of the cluster. */
  @Test
  void withoutTheCfsServiceTheCustomResourcesAreUsedOrItIsSaidThatItIsNotReached()
      throws Exception {
    create(batcher(1), "complete");
    var text = Files.readString(settings);
    var rest = "rest: {address: \"http://cray-cfs-api.services.invalid\"}";
    Files.writeString(settings, text.replace("source: custom-resources", rest));

    assertThat(prune()).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1 of 1 sessions would be deleted");

    Files.writeString(
        settings, text.replace("source: custom-resources", "source: rest-v3, " + rest));
    assertThat(prune()).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .contains(
            "http://cray-cfs-api.services.invalid/v3/sessions",
            "sessions.rest.address gave no answer");
  }

  @Test
  void aSessionOfTheCfsServiceHasNoUid() throws Exception {
    var page =
        """
        {"sessions": [{"name": "%s", "status": {"session": {"status": "complete",
          "succeeded": "true", "completion_time": "2020-01-01T00:00:00"}}}]}
        """
            .formatted(batcher(1));
    var cfs = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    cfs.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, page.length());
          exchange.getResponseBody().write(page.getBytes(UTF_8));
          exchange.close();
        });
    cfs.start();
    var source =
        "source: rest-v3, rest: {address: \"http://127.0.0.1:%d\"}"
            .formatted(cfs.getAddress().getPort());
    Files.writeString(
        settings, Files.readString(settings).replace("source: custom-resources", source));

    assertThat(prune()).as(err.toString()).isEqualTo(ExitCode.OK);
    cfs.stop(0);
    assertThat(out.toString()).contains(batcher(1)).doesNotContain("null");
  }

  /** Kubernetes answers with an empty list. */
  @Test
  void aNamespaceThatDoesNotExistIsNotOneWithoutSessions() throws Exception {
    Files.writeString(settings, Files.readString(settings).replace(namespace, "mistyped"));
    for (var command : List.of("sessions", "prune", "prune --confirm")) {
      var arguments = (command + " --settings " + settings).split(" ");
      assertThat(command(arguments)).as(command).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(err.toString().lines())
          .singleElement()
          .asString()
          .contains("sessions.namespace", "mistyped");
    }
  }

  @Test
  void whoMayNotReadANamespaceSeesThatItHasNoSession() throws Exception {
    try (var api = FaultyApi.start(controlPlane)) {
      api.always(("GET /api/v1/namespaces/" + namespace)::equals, FaultyApi.refuse(403));
      var config = Kubeconfig.anonymous(api.address().toString());
      var file = Files.writeString(folder.resolve("config"), config).toString();
      assertThat(run("sessions", "--settings", settings.toString(), "--kubeconfig", file))
          .as(err.toString())
          .isEqualTo(ExitCode.OK);
      assertThat(out.toString()).contains("There is no session.");
    }
  }

  @Test
  void theSessionsAreListedWithWhatTheReleasesSettingsSayOfEach() throws Exception {
    create(batcher(1), "complete");
    create(batcher(2), "running");
    create("boa-1", "complete");
    var release = namespace + "-release";
    var data = release(release, Files.readString(settings));
    var configMaps = "/api/v1/namespaces/%s/configmaps".formatted(release);
    // A backup, or what anybody else put there, must not decide what is deleted.
    data.putObject("metadata").put("name", "a-janitor-old");
    data.putObject("data")
        .put(
            "janitor.yaml",
            Files.readString(settings).replace("prune: {", "prune: {olderThan: 99d, "));
    send("POST", configMaps, data.toString());

    assertThat(command("sessions", "-n", release)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern(batcher(1) + " +complete +30d 0h +prune +aged")
        .containsPattern(batcher(2) + " +running +\\S.* +keep +state")
        .containsPattern("boa-1 +complete +30d 0h +keep +name");
    assertThat(command("sessions", "-n", release, "-o", "json")).isEqualTo(ExitCode.OK);
    assertThat(MAPPER.readTree(out.toString())).hasSize(3);
    assertThat(command("sessions", "-n", release, "-o", "yaml")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("verdict: \"prune\"");

    assertThat(command("prune", "-n", release)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1 of 3 sessions would be deleted");

    assertThat(command("sessions", "-n", namespace)).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(err.toString()).contains("there is no release with a janitor in namespace");
  }

  /** A file of that name may be here, too, and would be sent to whatever the ConfigMap says. */
  @Test
  void aTokenOfTheJanitorsPodIsNotLookedForHere() throws Exception {
    var release = namespace + "-release";
    var token = Files.writeString(folder.resolve("token"), "mine");
    release(
        release,
        """
        apiVersion: shipshape.dev/v1
        sessions:
          source: rest-v3
          rest: {address: "http://127.0.0.1:1", tokenFile: %s, insecureToken: true}
        """
            .formatted(token));

    assertThat(command("sessions", "-n", release)).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(err.toString()).contains("names a token in the janitor's pod");
  }

  private ObjectNode release(String release, String yaml) throws Exception {
    send("POST", "/api/v1/namespaces", "{\"metadata\": {\"name\": \"%s\"}}".formatted(release));
    var data = MAPPER.createObjectNode();
    data.putObject("metadata")
        .put("name", "shipshape-settings")
        .putObject("labels")
        .put("shipshape.dev/release", release);
    data.putObject("data").put("janitor.yaml", yaml);
    send("POST", "/api/v1/namespaces/%s/configmaps".formatted(release), data.toString());
    return data;
  }

  private int command(String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--kubeconfig", controlPlane.kubeconfig().toString()));
    return run(all.toArray(String[]::new));
  }

  /** An example of holding an operator to a budget; the limits are in the file. */
  @Promise(
      value = "A prune sends about one request for each session.",
      breaks = "A read or a list for each deletion.")
  @Test
  void aPruneKeepsToItsBudgetOfRequestsAndChangesNothingInVain() throws Exception {
    for (var number = 1; number <= 20; number++) {
      create(batcher(number), "complete");
    }
    var config =
        Files.writeString(
            folder.resolve("config"),
            controlPlane.kubeconfigFor("pruner-under-budget", List.of("system:masters")));

    prune("--kubeconfig", config.toString());
    prune("--confirm", "--kubeconfig", config.toString());

    assertThat(names()).isEmpty();
    var budget = "src/test/resources/dev/shipshape/plugin/prune-budget.yaml";
    assertThat(run("audit", "budget", budget, controlPlane.auditLog().toString()))
        .as("%s%s", out, err)
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString()).containsPattern("pruner-under-budget +requests +\\d+ +40 +ok");
  }

  @Test
  void nothingIsNotToBeConfirmed() {
    assertThat(prune()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("0 of 0 sessions would be deleted", "Nothing was deleted.")
        .doesNotContain("--confirm");
  }

  @Test
  void everyAnswerCanBeReadByPrograms() throws Exception {
    create(batcher(1), "complete");
    create(batcher(2), "pending");

    prune("-o", "json");
    var saved = MAPPER.readTree(out.toString());
    assertThat(saved.at("/deletions/0/session").asText()).isEqualTo(namespace + "/" + batcher(1));
    assertThat(saved.at("/deletions/0/uid").asText()).hasSize(36);
    assertThat(saved.at("/stats/kept/state").asInt()).isEqualTo(1);

    prune("-o", "json", "--confirm");
    var done = MAPPER.readTree(out.toString());
    assertThat(done.path("ending").asText()).isEqualTo("done");
    assertThat(done.at("/deletions/0/result").asText()).isEqualTo("gone");
    assertThat(names()).containsExactly(batcher(2));
  }

  @Test
  void whereTheJanitorArchivesAFolderMustBeNamedForIt() throws Exception {
    create(batcher(1), "complete");
    var absent = folder.resolve("the-pods");
    Files.writeString(
        settings,
        Files.readString(settings).replace("1h}", "1h, archive: {folder: %s}}".formatted(absent)));
    assertThat(prune()).as("shown all the same").isEqualTo(ExitCode.OK);

    assertThat(prune("--confirm")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(absent.toString(), "name a folder by --archive");
    assertThat(names()).hasSize(1);

    var here = folder.resolve("here");
    assertThat(prune("--confirm", "--archive", here.toString()))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    assertThat(names()).isEmpty();
    try (var kept = Files.list(here)) {
      assertThat(kept).singleElement().asString().contains(batcher(1)).endsWith(".zip");
    }
  }

  @Test
  void whatARunLeavesForTheNextIsSaid() throws Exception {
    create(batcher(1), "complete");
    create(batcher(2), "complete");
    Files.writeString(settings, Files.readString(settings).replace("1h}", "1h, maxPerRun: 1}"));

    assertThat(prune("--confirm")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("{gone=1}; 1 more are left for the next run");
  }

  /** The deletion that it would announce is not sent. */
  @Promise(
      value = "Without an audit line, nothing is deleted.",
      breaks = "Ignoring an error of the stream.")
  @Test
  void withoutAnAuditLineNothingIsDeleted() throws Exception {
    create(batcher(1), "complete");
    var before = System.err;
    System.setErr(new PrintStream(new FileOutputStream("/dev/full")));
    try {
      assertThat(prune("--confirm")).isEqualTo(ExitCode.FOUND);
    } finally {
      System.setErr(before);
    }
    assertThat(names()).hasSize(1);
  }

  @Test
  void moreThanALimitAllowsIsNotDeleted() throws Exception {
    create(batcher(1), "complete");
    Files.writeString(settings, Files.readString(settings).replace("1h}", "1h, maxPercent: 50}"));
    for (var arguments : List.of(List.<String>of(), List.of("--confirm"))) {
      assertThat(prune(arguments.toArray(String[]::new))).isEqualTo(ExitCode.FOUND);
      assertThat(out.toString()).contains("topped: the rules choose 1 of 1 sessions");
    }
    assertThat(names()).hasSize(1);
  }

  @Test
  void aWrongCommandLineIsRefused() {
    assertThat(prune("plan.json")).isEqualTo(ExitCode.USAGE);
    assertThat(prune("-o", "xml")).isEqualTo(ExitCode.USAGE);
  }

  private int prune(String... arguments) {
    var all = new ArrayList<>(List.of("prune", "--settings", settings.toString()));
    all.addAll(List.of(arguments));
    if (!all.contains("--kubeconfig")) {
      all.addAll(List.of("--kubeconfig", controlPlane.kubeconfig().toString()));
    }
    return run(all.toArray(String[]::new));
  }

  private void create(String name, String state) throws Exception {
    create(name, state, 30);
  }

  /** One that does not say whether it succeeded. */
  private void create(String name, String state, int days) throws Exception {
    // The API server tells its time in whole seconds, so it may be a second behind ours.
    var completed = Instant.now().minus(Duration.ofDays(days)).minusSeconds(60);
    apply(
        sessions(),
        """
        {"apiVersion": "cms.cray.com/v1", "kind": "ConfigFrameworkSession",
         "metadata": {"name": "%s"},
         "spec": {"repo": {"cloneUrl": "https://example.com/repo.git"},
          "status": {"session": {"status": "%s", "completionTime": "%s"}}}}
        """
            .formatted(name, state, completed));
  }

  private void apply(String collection, String text) throws Exception {
    var answer = send("POST", collection, text);
    assertThat(answer.statusCode()).as(answer.body()).isIn(201, 409);
  }

  private void change(String name, String patch) throws Exception {
    assertThat(send("PATCH", sessions() + "/" + name, patch).statusCode()).isEqualTo(200);
  }

  private List<String> names() throws Exception {
    var names = new ArrayList<String>();
    MAPPER
        .readTree(send("GET", sessions(), "").body())
        .path("items")
        .forEach(item -> names.add(item.at("/metadata/name").asText()));
    return names;
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    var type =
        method.equals("PATCH")
            ? "application/merge-patch+json"
            : body.startsWith("{") ? "application/json" : "application/yaml";
    var request =
        HttpRequest.newBuilder(controlPlane.server().resolve(path))
            .header("Content-Type", type)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private String sessions() {
    return "/apis/cms.cray.com/v1/namespaces/" + namespace + "/cfsessions";
  }

  private static String batcher(int number) {
    return "batcher-%08x-0000-4000-8000-%012x".formatted(number, number);
  }
}
