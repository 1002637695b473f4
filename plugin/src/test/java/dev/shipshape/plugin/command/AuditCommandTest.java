package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class AuditCommandTest extends WithCommands {
  private static final Path GOLDEN = Path.of("src/test/resources/dev/shipshape/plugin/audit");

  @TempDir private Path folder = Path.of("");

  private Path log = Path.of("");

  @BeforeEach
  void aLog() throws Exception {
    log = Files.write(folder.resolve("audit.log"), events());
  }

  @Test
  void theTimelineIsPrintedAndWhatCannotBeReadIsNamed() throws Exception {
    Files.writeString(folder.resolve("cut.log"), "{\"kind\":\"Event\"");

    var printed = process("audit", "timeline", "--mutations", "-o", "csv", folder.toString());

    assertThat(printed.lines())
        .hasSize(5)
        .first()
        .asString()
        .startsWith("time,user,verb,code,resource");
    assertThat(err.toString())
        .contains("cut.log: 1 lines, 0 events; 1 not read, such as line 1, which is cut");
    assertThat(exit).isEqualTo(ExitCode.OK);

    process("audit", "timeline", "--strict", folder.toString());
    assertThat(exit).isEqualTo(ExitCode.BAD_INPUT);
  }

  @Test
  void theTimelineAsAPageHasRequestsAndRaces() throws Exception {
    assertThat(process("audit", "timeline", "-o", "html", log.toString()))
        .startsWith("<!doctype html>")
        .contains("LOST_UPDATE", "configmaps");
  }

  @Test
  void whatARequestWasIsShownWithoutSecrets() throws Exception {
    var secret =
        "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\"},\"data\":{\"k\":\"aGlkZQ==\"}}";
    Files.writeString(log, event(5, "alice", "update", 403, secret), StandardOpenOption.APPEND);

    assertThat(audit("show id-2 LOG")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith("2026-11-23T04:00:02.000000Z  " + log)
        .contains("\"userAgent\" : \"kubectl/v1.36\"", "\"key\" : \"y\"");
    assertThat(audit("show 04:00:05 -o json LOG")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("\"k\" : \"(hidden)\"").doesNotContain("aGlkZQ");
    assertThat(audit("show id-9 LOG")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("none of the 5 events matches");
  }

  @Test
  void aTimelineTellsWhoAskedFromWhereAndWhatWasAnswered() throws Exception {
    Files.write(
        log,
        events().stream()
            .map(
                line ->
                    line.replace(
                            "\"userAgent\"",
                            "\"impersonatedUser\":{\"username\":\"root\"},"
                                + "\"sourceIPs\":[\"10.0.0.1\"],\"userAgent\"")
                        .replace("\"code\":409", "\"code\":409,\"message\":\"changed meanwhile\""))
            .toList());
    var wide = process("audit", "timeline", "-o", "wide", log.toString());
    assertThat(wide.lines().toList().get(3)).contains("  10.0.0.1   bob  ");
    assertThat(process("audit", "timeline", "-o", "csv", log.toString()))
        .contains("10.0.0.1,bob,changed meanwhile,,id-3");
    assertThat(process("audit", "timeline", "-o", "json", "--bodies", log.toString()).lines())
        .first()
        .asString()
        .contains("\"responseObject\":{\"kind\":\"ConfigMap\"", "\"sourceIPs\":[\"10.0.0.1\"]");
    assertThat(audit("timeline --bodies LOG")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void rowsOfSeveralLogsAreNotFollowed() {
    assertThat(audit("timeline --follow LOG LOG")).isEqualTo(ExitCode.USAGE);
    var none = folder.resolve("none");
    assertThat(run("audit", "timeline", "--follow", none.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString())
        .contains("shipshape: could not read %s: there is no such file\n".formatted(none));
    assertThat(audit("timeline --follow FOLDER")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("could not read %s: it is a folder".formatted(folder));
  }

  @Test
  void aFilesNameCannotMoveTheCursor() {
    assertThat(run("audit", "top", "--by", "verb", folder.resolve("a\u001b[2J").toString()))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("a?[2J: there is no such file").doesNotContain("\u001b");
  }

  @Test
  void anObjectAmongSeveralThatNothingIsAboutIsNamed() {
    assertThat(audit("top --by code LOG --object configmaps/* --object pods/web-0"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("409 ", "200 ");
    assertThat(err.toString())
        .contains("no request matches --object pods/web-0")
        .doesNotContain("--object configmaps");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-23, 4",
    "04:00:04 --to 03:00, 1",
    "2026-11-24, 0",
    "04:00:03, 2",
    "2026-11-23 04:00:02, 3"
  })
  void timesAreWrittenAsPeopleDo(String from, int requests) {
    var arguments = new ArrayList<>(List.of("audit", "top", "--by", "resource", "--from"));
    arguments.addAll(List.of((from + " --to 23:59").split(" --to ", 2)[0], "--to"));
    arguments.addAll(
        List.of(from.contains("--to") ? from.split(" --to ", 2)[1] : "2026-12-01", log.toString()));

    assertThat(run(arguments.toArray(String[]::new))).isEqualTo(ExitCode.OK);
    if (requests == 0) {
      assertThat(out.toString()).doesNotContain("configmaps");
    } else {
      assertThat(out.toString()).containsPattern("configmaps +" + requests + " ");
    }
  }

  @ParameterizedTest
  @CsvSource({"actor, alice", "user-agent, kubectl/v1.36", "verb, update", "namespace, shop"})
  void aRequestWithoutAKeyIsCountedUnderAName(String by, String key) throws Exception {
    Files.writeString(log, events().get(1).replace("\"" + key + "\"", "\"\""));

    assertThat(audit("top LOG --by " + by)).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).last().asString().startsWith("(none) ");
  }

  @Test
  void theHistoryOfAnObjectIsPrinted() throws Exception {
    assertThat(process("audit", "diff", "configmaps/shop/settings", log.toString()))
        .contains("~ data.key: \"x\" -> \"y\"");
  }

  /** To renew a file: look at what the test printed, and put it in. */
  @ParameterizedTest
  @CsvSource({
    "races.txt, races LOG",
    "races.json, races -o json LOG",
    "top.txt, top --by user-agent LOG",
    "top.json, top --by verb -o json LOG",
    "compare.txt, compare FOLDER/other.log LOG",
    "compare.json, compare -o json FOLDER/other.log LOG",
    "budget.txt, budget FOLDER/budget.yaml LOG"
  })
  void eachOutputIsAsItWas(String golden, String command) throws Exception {
    Files.write(folder.resolve("other.log"), events().subList(0, 2));
    budget("{actor: alice, requests: 2, bytes: 100000, noOps: 0}, {actor: '<x>', requests: 1}");

    audit(command);

    assertThat(out.toString().replace(folder.toString(), "FOLDER"))
        .isEqualTo(Files.readString(GOLDEN.resolve(golden)));
  }

  @Test
  void racesEndWithOneUnlessTheyAreAllowed() {
    assertThat(audit("races LOG")).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("lost-update  configmaps/shop/settings", "no-op");
    assertThat(audit("races --allow lost-update:bob --allow no-op LOG")).isEqualTo(ExitCode.OK);
    assertThat(audit("races --allow nonsense LOG")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("must be one of take-over, recreated,");
  }

  /** As of a variable that is not set, or a list with spaces: neither must change what is found. */
  @Test
  void anEmptyFilterIsRefusedAndSpacesInAListAreNoPartOfIt() {
    for (var filter : List.of("--actor=", "--uid=", "--verb= ", "--code=")) {
      assertThat(run("audit", "races", filter, log.toString()))
          .as(filter)
          .isEqualTo(ExitCode.USAGE);
    }
    assertThat(run("audit", "show", "", log.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(run("audit", "races", "--verb", "create, update", "--code=409, 200", log.toString()))
        .isEqualTo(ExitCode.FOUND);
  }

  @Promise(
      value = "An audit command fails if it reads no event of its logs.",
      breaks = "Exit code 0 for an empty result.")
  @ParameterizedTest
  @ValueSource(strings = {"races", "top", "timeline", "compare"})
  void aLogInWhichNoEventIsReadEndsWithThree(String command) throws Exception {
    Files.writeString(folder.resolve("other.log"), "hello\n");
    var before = command.equals("compare") ? " LOG" : "";

    assertThat(audit(command + before + " FOLDER/other.log")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString())
        .contains(
            "other.log: 1 lines, 0 events; 1 not read, such as line 1, which is text",
            "no audit event");
    assertThat(out.toString()).doesNotContain("differences");
  }

  @Promise(
      value = "`audit races` fails if the log has writes without bodies.",
      breaks = "Ignoring writes that cannot be judged.")
  @Test
  void writesWithoutBodiesAreNoProofThatThereIsNoRace() throws Exception {
    Files.writeString(log, events().getFirst().replace("responseObject", "x"));

    assertThat(audit("races LOG")).isEqualTo(ExitCode.FOUND);
    assertThat(err.toString()).contains("1 writes have no response body or code in the log");
  }

  /** A fight over what was forgotten would not show. */
  @Test
  void whatIsTooMuchToBeRememberedIsCounted() throws Exception {
    var keys =
        IntStream.range(0, 101)
            .mapToObj(i -> "\"k%d\":1".formatted(i))
            .collect(Collectors.joining(","));
    Files.write(
        log,
        List.of(
            event(1, "alice", "create", 201, map(1, "x")),
            event(
                2,
                "alice",
                "update",
                200,
                map(2, "x").replace("\"data\":{", "\"data\":{" + keys + ","))));

    assertThat(audit("races LOG")).isEqualTo(ExitCode.OK);
    assertThat(err.toString()).contains("1 objects or fields were too many to be remembered");
  }

  @Test
  void runsWithoutBodiesAreNotTheSame() throws Exception {
    Files.writeString(log, events().getFirst());

    assertThat(audit("compare LOG LOG")).isEqualTo(ExitCode.FOUND);
    assertThat(err.toString()).contains("2 writes have no body in the logs");
  }

  @Test
  void whoAsksMostIsListed() {
    assertThat(audit("top --by resource LOG")).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .last()
        .asString()
        .matches("configmaps +4 +100.0% +\\d+ +1.5ms +1.5ms +4 +1 \\(25.0%\\)");
  }

  @Test
  void twoRunsAreCompared() throws Exception {
    var lines = events().stream().map(AuditCommandTest::withRequest).toList();
    Files.write(log, lines);
    var other = Files.write(folder.resolve("other.log"), lines.subList(0, 2));

    assertThat(audit("compare LOG LOG")).isEqualTo(ExitCode.OK);
    assertThat(run("audit", "compare", other.toString(), log.toString())).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("bob  update configmaps/shop/settings: only in AFTER");
  }

  @Test
  void runsThatDifferInTooMuchAreNotCompared() throws Exception {
    for (var run : List.of("good", "bad", "twice")) {
      Files.write(
          folder.resolve(run + ".log"),
          IntStream.rangeClosed(0, run.equals("twice") ? 20_000 : 10_000)
              .mapToObj(
                  i ->
                      event(1, "alice", "get", 200, "{}")
                          .replace("id-1", "id-" + i)
                          .replace("settings", run + i))
              .toList());
    }

    assertThat(audit("compare FOLDER/good.log FOLDER/bad.log")).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(err.toString())
        .contains("the requests of alice differ in more than 20000", "narrow it with --from");
    var none = Files.writeString(folder.resolve("none.log"), event(1, "bob", "get", 200, "{}"));
    assertThat(run("audit", "compare", none.toString(), folder.resolve("twice.log").toString()))
        .as("as only one run has them")
        .isEqualTo(ExitCode.FOUND);
  }

  /** As kuttl names them, as people number them, as pipelines mark them. */
  @ParameterizedTest
  @CsvSource({
    "kuttl-test-happy-cat, kuttl-test-funny-dog",
    "run-1, run-2",
    "e2e-3fa9c21b, e2e-90bb1a7c"
  })
  void runsInNamespacesOfOtherNamesAreTheSame(String before, String after) throws Exception {
    var good = Files.write(folder.resolve("good.log"), in(before, "alice", events()));
    var same = Files.write(folder.resolve("same.log"), in(after, "alice", events()));
    var bad = Files.write(folder.resolve("bad.log"), in(after, "alice", events().subList(0, 3)));

    assertThat(run("audit", "compare", good.toString(), same.toString())).isEqualTo(ExitCode.OK);
    assertThat(run("audit", "compare", good.toString(), bad.toString())).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("1 differences", "patch configmaps/");
  }

  /** Each would be a name of its own, to be compared with every other one. */
  @Test
  void aUuidIsNoPartOfAName() throws Exception {
    var session = "batcher-3f2a9c1b-4e1c-4f0a-9b1d-0123456789ab";
    var good = Files.write(folder.resolve("good.log"), in(session, "alice", events()));
    var bad = Files.write(folder.resolve("bad.log"), in(session, "alice", events().subList(0, 3)));

    assertThat(run("audit", "compare", good.toString(), bad.toString())).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("patch configmaps/batcher-*/settings: only in BEFORE");
  }

  @Test
  void namesThatAreTakenForEachOtherAreSaid() throws Exception {
    var good = Files.write(folder.resolve("good.log"), in("db-old", "alice", events()));
    var bad = Files.write(folder.resolve("bad.log"), in("db-live", "alice", events()));
    var compare = List.of("audit", "compare", good.toString(), bad.toString());

    assertThat(run(compare.toArray(String[]::new))).isEqualTo(ExitCode.OK);
    assertThat(err.toString())
        .contains("db-live in AFTER is taken for db-old in BEFORE")
        .doesNotContain("settings");
    for (var same : List.of("db-live=db-live", "db-old=db-live")) {
      var line = new ArrayList<>(compare);
      line.addAll(List.of("--same", same));
      assertThat(run(line.toArray(String[]::new)))
          .isEqualTo(same.startsWith("db-old") ? ExitCode.OK : ExitCode.FOUND);
      assertThat(err.toString()).doesNotContain("is taken for");
    }
  }

  @Test
  void whatTwoRunsCallTheSameCanBeSaid() throws Exception {
    var good = Files.write(folder.resolve("good.log"), in("blue", "alice", events()));
    var other = Files.write(folder.resolve("other.log"), in("green", "alice", events()));

    assertThat(run("audit", "compare", good.toString(), other.toString()))
        .isEqualTo(ExitCode.FOUND);
    assertThat(run("audit", "compare", "--same", "blue=green", good.toString(), other.toString()))
        .isEqualTo(ExitCode.OK);
  }

  /** Which version ran, and what it was denied, is what people look for. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "create | 201 | app:main-3f2a9c1 | 201 | app:main-9b1c2d3 | request ~ spec.image",
        "get | 200 | x | 403 | x | code 200 -> 403"
      })
  void imagesAndDenialsAreCompared(
      String verb, int code, String image, int otherCode, String otherImage, String difference)
      throws Exception {
    var good = Files.writeString(folder.resolve("good.log"), request(verb, code, image));
    var bad = Files.writeString(folder.resolve("bad.log"), request(verb, otherCode, otherImage));

    assertThat(run("audit", "compare", good.toString(), bad.toString())).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains(difference);
  }

  /** A selector that is missing deletes everything. */
  @ParameterizedTest
  @CsvSource({
    "deletecollection, 'labelSelector=app%3Da', '', 1",
    "patch, 'force=true&fieldManager=a', 'fieldManager=b&force=true&timeout=34s', 0",
    "patch, 'force=true', 'dryRun=All&force=true', 1",
    "patch, 'force=true&dryRun=All&continue=', 'dryRun=All&force=true', 0",
    "deletecollection, 'labelSelector=controller-uid%3D3f2a9c1e-1111-4222-8333-9b1c2d3e4f5a',"
        + " 'labelSelector=controller-uid%3D9b1c2d3e-5555-4666-8777-3f2a9c1e4f5a', 0",
    "deletecollection, 'labelSelector=app%20in%20%28blue%2Cblue-1%29',"
        + " 'labelSelector=app+in+(green%2Cblue-1)', 0",
    "deletecollection, 'labelSelector=app%3Da', 'labelSelector=app%3Db%zz', 1",
    "list, 'limit=500', '', 0"
  })
  void theParametersOfWritesAreCompared(String verb, String query, String other, int expected)
      throws Exception {
    var request = request(verb, 200, "x");
    var good =
        Files.writeString(
            folder.resolve("good.log"), request.replace("\"/\"", "\"/?" + query + '"'));
    var bad =
        Files.writeString(
            folder.resolve("bad.log"), request.replace("\"/\"", "\"/?" + other + '"'));

    assertThat(run("audit", "compare", "--same", "blue=green", good.toString(), bad.toString()))
        .isEqualTo(expected);
    if (verb.equals("deletecollection") && other.isEmpty()) {
      assertThat(out.toString()).contains("pods/shop/a?labelSelector=app=a: only in BEFORE");
    }
  }

  /** YAML that is applied, of which an API server logs no answer. */
  @Test
  void writesOfWhichOnlyTheArrivalIsLoggedAreNoProof() throws Exception {
    var write = withRequest(event(1, "alice", "create", 201, map(1, "x")));
    var arrival =
        withRequest(event(2, "bob", "patch", 0, "{}"))
            .replace("ResponseComplete", "RequestReceived")
            .replaceAll("\"(requestObject|responseObject)\"", "\"x\"");
    var later = write.replace("04:00:01", "04:05:00").replace("id-1", "id-9");
    var base = Files.write(folder.resolve("base.log"), List.of(write, later)).toString();
    Files.write(log, List.of(write, arrival, later));
    var budget = budget("{actor: bob, noOps: 0}, {actor: alice, noOps: 9}").toString();

    assertThat(run("audit", "compare", base, base)).isEqualTo(ExitCode.OK);
    assertThat(run("audit", "compare", base, log.toString())).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("bob  patch configmaps/shop/settings: only in AFTER");
    assertThat(err.toString()).contains("1 writes have no body in the logs");
    assertThat(run("audit", "budget", "--object", "configmaps/*", budget, log.toString()))
        .isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("1 writes have no response body or code in the log");
  }

  /** Unlike the API server's own. */
  @Test
  void storedReviewsAreCompared() throws Exception {
    var reviews = "\"codereviews\",\"apiGroup\":\"example.com\"";
    Files.writeString(log, request("create", 201, "x").replace("\"pods\"", reviews));

    assertThat(audit("compare LOG LOG")).isEqualTo(ExitCode.OK);
  }

  @Test
  void runsOfWhichNothingIsComparedAreNotTheSame() throws Exception {
    var leases = request("update", 200, "x").replace("\"pods\"", "\"leases\"");
    Files.writeString(log, leases);

    assertThat(audit("compare LOG LOG")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("no request can be compared: leases, events");
  }

  private static String request(String verb, int code, String image) {
    return """
    {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"1",\
    "stage":"ResponseComplete","requestURI":"/","verb":"%s","user":{"username":"alice"},\
    "objectRef":{"resource":"pods","namespace":"shop","name":"a","apiVersion":"v1"},\
    "responseStatus":{"code":%d},"requestObject":{"spec":{"image":"%s"}},\
    "requestReceivedTimestamp":"2026-11-23T04:00:00.000000Z",\
    "stageTimestamp":"2026-11-23T04:00:00.001000Z"}
    """
        .formatted(verb, code, image);
  }

  private static String withRequest(String line) {
    return line.replace("\"responseObject\"", "\"requestObject\":{},\"responseObject\"");
  }

  private static List<String> in(String namespace, String user, List<String> events) {
    return events.stream()
        .map(
            line ->
                withRequest(line)
                    .replace("\"shop\"", "\"" + namespace + "\"")
                    .replace("\"" + user + "\"", "\"system:serviceaccount:" + namespace + ":op\""))
        .toList();
  }

  @Test
  void aBudgetThatIsPassedEndsWithOneAndIsInTheJunitReport() throws Exception {
    var budget =
        budget("{actor: alice, requests: 2, bytes: 100000, noOps: 0}, {actor: '<x>', requests: 1}");
    var junit = folder.resolve("junit.xml");

    assertThat(
            run("audit", "budget", "--junit", junit.toString(), budget.toString(), log.toString()))
        .isEqualTo(ExitCode.FOUND);

    assertThat(junit).content().isEqualTo(Files.readString(GOLDEN.resolve("junit.xml")));
  }

  @Test
  void anActorsNameMakesNoRowOfItsOwn() throws Exception {
    Files.writeString(log, event(1, "op\\nalice  requests  0  2  ok", "get", 200, "{}"));
    var budget = budget("{actor: 'op*', requests: 0}").toString();

    assertThat(run("audit", "budget", budget, log.toString())).isEqualTo(ExitCode.FOUND);
    assertThat(out.toString().lines()).noneMatch(line -> line.startsWith("alice"));
  }

  @Test
  void aJunitReportThatCannotBeWrittenSaysWhy() throws Exception {
    var junit = folder.resolve("none/junit.xml").toString();
    var budget = budget("{actor: alice, requests: 2}").toString();

    assertThat(run("audit", "budget", "--junit", junit, budget, log.toString()))
        .isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(err.toString()).contains(junit + ": there is no such file");
  }

  @Test
  void aMistakeInABudgetIsNamedWithItsLineAndField() throws Exception {
    var budget = budget("{actor: alice, request: 1}");

    assertThat(run("audit", "budget", budget.toString(), log.toString()))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("budget.yaml:2:", "request", "has no limit");
  }

  @Test
  void whatTheLogDoesNotTellIsNotWithinABudget() throws Exception {
    Files.write(log, events().stream().map(line -> line.replace("responseObject", "x")).toList());

    assertThat(
            run("audit", "budget", budget("{actor: alice, noOps: 0}").toString(), log.toString()))
        .isEqualTo(ExitCode.FOUND);
    assertThat(out.toString()).contains("2 writes have no response body or code in the log");
  }

  @Test
  void anObjectAmongSeveralThatNothingIsAboutIsNamedByChecksToo() throws Exception {
    budget("{actor: alice, requests: 9}");
    for (var check : List.of("races", "budget FOLDER/budget.yaml", "compare LOG")) {
      audit(check + " --object configmaps/* --object pods/typo LOG");
      assertThat(err.toString()).as(check).contains("no request matches --object pods/typo");
    }
  }

  /** That a write changed nothing is seen by what another wrote before. */
  @Test
  void aFilterHidesNoEvidence() throws Exception {
    Files.write(
        log,
        List.of(
            event(1, "bob", "create", 201, map(5, "x")),
            event(2, "op", "patch", 200, map(5, "x"))));
    var budget = budget("{actor: op, noOps: 0}").toString();

    assertThat(run("audit", "budget", "--actor", "op", budget, log.toString()))
        .as(out.toString())
        .isEqualTo(ExitCode.FOUND);
  }

  @Test
  void aFilterThatNothingMatchesIsTold() {
    assertThat(audit("races --object configmap/settings LOG")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("no write matches");
    assertThat(audit("compare --actor typo LOG LOG")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(audit("top --object configmap/settings LOG")).isEqualTo(ExitCode.OK);
    assertThat(err.toString()).contains("none of the 4 events matches (resources are plurals");
  }

  @Test
  void aLogOfReadsAloneTellsNothingOfRaces() throws Exception {
    Files.writeString(log, event(1, "alice", "get", 200, map(1, "x")));

    assertThat(audit("races LOG")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("no write matches, so there is no result");
  }

  /**
   * Runs a command whose arguments hold no blanks.
   *
   * @param command LOG and FOLDER stand for this test's
   */
  private int audit(String command) {
    var line = command.replace("LOG", log.toString()).replace("FOLDER", folder.toString());
    return run(("audit " + line).split(" "));
  }

  private Path budget(String limits) throws Exception {
    return Files.writeString(
        folder.resolve("budget.yaml"),
        "apiVersion: shipshape.dev/v1\nlimits: [%s]\n".formatted(limits));
  }

  /** As of {@code | head}; a full disk is another matter. */
  @ParameterizedTest
  @CsvSource({
    "audit races, | true, 1",
    "audit timeline, | true, 0",
    "audit races, > /dev/full, 4",
    "hash --help, > /dev/full, 4"
  })
  void whoReadsNoFurtherHasSeenEnough(String command, String to, int expected) throws Exception {
    var code = folder.resolve("code");
    var shell =
        "{ \"$1\" -cp \"$2\" %s %s \"$3\"; echo $? >\"$4\"; } %s"
            .formatted(Shipshape.class.getName(), command, to);
    var java = ProcessHandle.current().info().command().orElseThrow();
    var classes = System.getProperty("java.class.path");
    var process =
        new ProcessBuilder("sh", "-c", shell, "sh", java, classes, log.toString(), code.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();

    assertThat(code).hasContent(Integer.toString(expected));
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (expected != 4) {
      assertThat(said).isEmpty();
    } else {
      assertThat(said).contains("No space left on device");
    }
  }

  private int exit;

  /** What writes bytes does so to the process's own standard output. */
  private String process(String... arguments) throws Exception {
    var line = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Shipshape.class.getName()));
    line.addAll(List.of(arguments));
    var printed = folder.resolveSibling(folder.getFileName() + ".out").toFile();
    var said = folder.resolveSibling(folder.getFileName() + ".err").toFile();
    var process = new ProcessBuilder(line).redirectOutput(printed).redirectError(said).start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    exit = process.exitValue();
    err.append(Files.readString(said.toPath()));
    return Files.readString(printed.toPath());
  }

  private static List<String> events() {
    return List.of(
        event(1, "alice", "create", 201, map(1, "x")),
        event(2, "alice", "update", 200, map(2, "y")),
        event(3, "bob", "update", 409, "{\"kind\":\"Status\"}"),
        event(4, "alice", "patch", 200, map(2, "y")));
  }

  private static String event(int second, String user, String verb, int code, String response) {
    return """
    {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"id-%d",\
    "stage":"ResponseComplete","requestURI":"/api/v1/namespaces/shop/configmaps/settings",\
    "verb":"%s","user":{"username":"%s"},"userAgent":"kubectl/v1.36","objectRef":{"resource":"configmaps","namespace":"shop",\
    "name":"settings"},"responseStatus":{"code":%d},"responseObject":%s,\
    "requestReceivedTimestamp":"2026-11-23T04:00:0%d.000000Z",\
    "stageTimestamp":"2026-11-23T04:00:0%d.001500Z"}\
    """
        .formatted(second, verb, user, code, response, second, second);
  }

  private static String map(int version, String value) {
    return """
    {"kind":"ConfigMap","metadata":{"name":"settings","uid":"u1","resourceVersion":"%d"},\
    "data":{"key":"%s"}}\
    """
        .formatted(version, value);
  }
}
