package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RacesTest {
  private static final String MAP = "configmaps/shop/settings";
  private static final String JOB = "jobs.batch/shop/load";
  private static final String POD = "pods/shop/load-x7k2p";

  @TempDir private Path folder = Path.of("");

  @Test
  void writersThatSetAFieldBackAreFound() throws IOException {
    var races =
        races(
            new Requests()
                .wrote("alice", "create", MAP, map(1, "x"))
                .wrote("alice", "update", MAP, map(2, "y"))
                .wrote("operator", "patch", MAP, map(3, "x"))
                .wrote("alice", "update", MAP, map(4, "y"))
                .wrote("operator", "patch", MAP, map(5, "x")));

    assertThat(shown(races)).containsExactly("FIGHT [alice, operator] id-1 id-2 id-3 id-4");
    assertThat(races.getFirst().summary())
        .isEqualTo("data.key was set by alice and set back by operator (set back 3 times)");
  }

  /** More fields than are remembered, which must not push each other out. */
  @Test
  void aFightOverAWholeObjectIsFound() throws IOException {
    var races =
        races(
            new Requests()
                .wrote("alice", "create", MAP, keys(1, "x", 110))
                .wrote("operator", "patch", MAP, keys(2, "y", 110))
                .wrote("alice", "update", MAP, keys(3, "x", 110)));

    assertThat(shown(races)).containsExactly("FIGHT [operator, alice] id-1 id-2");
    assertThat(races.getFirst().summary())
        .isEqualTo(
            "data.key100 (and 99 more) was set by operator and set back by alice (set back 1"
                + " times)");
  }

  @Test
  void aFightOverManyObjectsIsFound() throws IOException {
    var requests = new Requests();
    for (var version = 1; version <= 4; version++) {
      for (var i = 0; i < 1100; i++) {
        var body = map(version, "x" + version % 2).replace("\"m1\"", "\"m" + i + "\"");
        requests.wrote(
            version % 2 == 0 ? "operator" : "alice", "update", "configmaps/shop/m" + i, body);
      }
    }

    assertThat(races(requests))
        .hasSize(1000)
        .allMatch(race -> race.summary().endsWith("(set back 2 times)"));
  }

  /** What was forgotten may be a part of a fight, unless it is gone. */
  @ParameterizedTest
  @CsvSource({"patch, 10", "delete, 0"})
  void objectsThatAreTooManyToBeRememberedAreCounted(String last, int dropped) throws IOException {
    var requests = new Requests();
    for (var i = 0; i < 5_010; i++) {
      var body = map(1, "x").replace("\"m1\"", "\"m" + i + "\"");
      requests.wrote("alice", i < 10 ? last : "patch", "configmaps/shop/m" + i, body);
    }

    assertThat(dropped(requests)).isEqualTo(dropped);
  }

  /** A Status has no version, and the last finalizer's removal has the one from before. */
  @ParameterizedTest
  @ValueSource(strings = {"delete", "patch"})
  void objectsThatAreGoneAreNotCounted(String last) throws IOException {
    var requests = new Requests();
    for (var i = 0; i < 5_010; i++) {
      var path = "configmaps/shop/m" + i;
      var body = map(1, "x").replace("\"m1\"", "\"m" + i + "\"");
      var going = body.replace("\"uid\"", "\"deletionTimestamp\":\"2026-11-23T04:00:00Z\",\"uid\"");
      requests
          .wrote("alice", "create", path, body)
          .wrote("alice", last, path, last.equals("delete") ? status("m" + i) : going);
    }

    assertThat(dropped(requests)).isZero();
  }

  /** They take more memory than the bodies. */
  @Test
  void changesThatAreTooManyToBeRememberedAreCounted() throws IOException {
    var requests = new Requests();
    for (var i = 0; i < 1_200; i++) {
      var body = keys(1 + i % 2, "x" + i % 2, 100).replace("\"m1\"", "\"m" + i / 2 + "\"");
      requests.wrote("alice", "update", "configmaps/shop/m" + i / 2, body);
    }

    assertThat(dropped(requests)).isPositive();
  }

  private int dropped(Requests requests) throws IOException {
    var log = Requests.logs(requests.write(folder.resolve("audit.log")));
    return Races.find(log, EventFilter.ALL, List.of(), false).dropped();
  }

  private static String keys(int version, String value, int count) {
    var keys =
        IntStream.range(100, 100 + count)
            .mapToObj(i -> "\"key%d\":\"%s\"".formatted(i, value))
            .collect(Collectors.joining(","));
    return map(version, value).replace("\"key\":\"" + value + "\"", keys);
  }

  /** As of users whose requests the policy logs at another level. */
  @Test
  void whatAWriteWithoutABodyChangedIsNotPutToTheNextOnesAccount() throws IOException {
    assertNoRace(
        new Requests()
            .wrote("gitops", "create", MAP, map(1, "x"))
            .request("quiet", "patch", MAP, 200)
            .wrote("labeller", "patch", MAP, map(3, "y"))
            .wrote("gitops", "patch", MAP, map(4, "x")));
    assertNoRace(
        new Requests()
            .wrote("gitops", "create", MAP, map(1, "x"))
            .request("quiet", "patch", MAP, 200)
            .wrote("scaler", "patch", MAP + "/scale", map(3, "y").replace("ConfigMap", "Scale"))
            .wrote("labeller", "patch", MAP, map(4, "y"))
            .wrote("gitops", "patch", MAP, map(5, "x")));
  }

  /** A webhook writes a hash of what somebody set. */
  @Test
  void aFightIsAboutWhatWasSetAndNotAboutItsHash() throws IOException {
    assertThat(
            races(
                new Requests()
                    .wrote("alice", "create", MAP, stamped(1, "x"))
                    .wrote("alice", "update", MAP, stamped(2, "y"))
                    .wrote("operator", "patch", MAP, stamped(3, "x"))))
        .extracting(Race::summary)
        .containsExactly("data.key was set by alice and set back by operator (set back 1 times)");
  }

  /** A condition changes its status, its reason and its message. */
  @Test
  void aStatusThatChangesBackOnceIsNoFight() throws IOException {
    var ready = "{\"status\":\"True\",\"reason\":\"Up\",\"message\":\"a\"}";
    var away = "{\"status\":\"Unknown\",\"reason\":\"Down\",\"message\":\"b\"}";
    var node =
        """
        {"kind":"Thing","metadata":{"name":"n","uid":"n1","resourceVersion":"%d"},"status":{"ready":%s}}\
        """;
    assertNoRace(
        new Requests()
            .wrote("kubelet", "update", MAP, node.formatted(1, ready))
            .wrote("manager", "update", MAP, node.formatted(2, away))
            .wrote("kubelet", "update", MAP, node.formatted(3, ready)));
  }

  @Test
  void onesOwnChangesAreNoFight() throws IOException {
    assertNoRace(
        new Requests()
            .wrote("alice", "create", MAP, map(1, "x"))
            .wrote("alice", "update", MAP, map(2, "y"))
            .wrote("alice", "update", MAP, map(3, "x"))
            .wrote("bob", "update", MAP, map(4, "z")));
  }

  /** The API server and the quota controller both count. */
  @Test
  void whatOfAQuotaIsUsedIsNoFight() throws IOException {
    assertThat(races(quota("status"))).isEmpty();
    assertThat(races(quota("spec"))).hasSize(1);
  }

  private static Requests quota(String part) {
    var requests = new Requests();
    for (var version = 1; version <= 6; version++) {
      var body =
          """
          {"apiVersion": "v1", "kind": "ResourceQuota",
           "metadata": {"name": "pods", "uid": "u", "resourceVersion": "%d"},
           "%s": {"pods": "%d"}}
          """
              .formatted(version, part, version % 2);
      requests.wrote(
          version % 2 == 0 ? "system:apiserver" : "quota-controller",
          "update",
          "resourcequotas/shop/pods",
          body);
    }
    return requests;
  }

  @Test
  void aRefusedWriteIsShownWithTheOneThatWon() throws IOException {
    var races =
        races(
            new Requests()
                .wrote("alice", "update", MAP, map(2, "y"))
                .request("bob", "update", MAP, 409, map(1, "z"), null));

    assertThat(shown(races)).containsExactly("LOST_UPDATE [bob, alice] id-0 id-1");
  }

  /** A webhook may hold a request up while others are written. */
  @Test
  void aRefusedWriteIsShownWithTheOneThatWonThoughThatCameLater() throws IOException {
    var requests =
        new Requests()
            .wrote("alice", "update", MAP, map(1, "x"))
            .request("bob", "update", MAP, 409, map(1, "z"), null);
    requests.last().put("stageTimestamp", "2026-11-23T04:00:05.000000Z");
    requests
        .wrote("carol", "update", MAP, map(2, "y"))
        .request("bob", "update", MAP, 409, map(1, "z"), null);

    assertThat(shown(races(requests))).containsExactly("LOST_UPDATE [bob, carol] id-2 id-3 id-1");
  }

  @Test
  void writesThatChangeNothingAreCountedByActor() throws IOException {
    var races =
        races(
            new Requests()
                .request("alice", "update", MAP, 200, map(0, "x"), map(1, "x"))
                .request("operator", "update", MAP, 200, map(1, "x"), map(1, "x"))
                .request("operator", "patch", MAP, 200, "{}", map(1, "x"))
                .request("operator", "patch", MAP, 200, "{}", map(2, "y")));

    assertThat(shown(races)).containsExactly("NO_OP [operator] id-1 id-2");
    assertThat(races.getFirst().summary()).isEqualTo("2 of 3 writes of configmaps changed nothing");
  }

  /** A read that ends late may have seen what the write has made. */
  @Test
  void aWriteWhoseResultWasReadMeanwhileIsNoNoOp() throws IOException {
    var requests = new Requests().request("alice", "patch", MAP, 200, "{}", map(1, "x"));
    requests.last().put("stageTimestamp", "2026-11-23T04:10:00.000000Z");
    requests.request("bob", "patch", MAP, 200, "{}", map(1, "x"));

    assertThat(races(requests)).isEmpty();
  }

  @Test
  void whatIsAllowedIsNotReported() throws IOException {
    var log =
        new Requests()
            .wrote("alice", "update", MAP, map(2, "y"))
            .request("bob", "update", MAP, 409, map(1, "z"), null)
            .request("system:kube-scheduler", "update", MAP, 409, map(1, "z"), null)
            .write(folder.resolve("audit.log"));
    var bob = new Races.Allowance(Race.Kind.LOST_UPDATE, TextPattern.of("b*"));
    var nobody = new Races.Allowance(Race.Kind.FIGHT, TextPattern.of("*"));

    assertThat(find(log, List.of(bob), false)).isEmpty();
    assertThat(find(log, List.of(nobody), false)).hasSize(1);
    assertThat(find(log, List.of(bob), true)).hasSize(1);
  }

  @Test
  void whatTakesOverWhatItsFormerLifeOwnedIsFound() throws IOException {
    var owner = "deployments.apps/shop/web";
    var set = "replicasets.apps/shop/web-6d4cf56db6";
    var races =
        races(
            new Requests()
                .wrote("operator", "create", owner, object("web", "u1", "", ""))
                .wrote("controller", "create", set, object("web-6d4cf56db6", "s1", "u1", ""))
                .request(
                    "operator",
                    "delete",
                    owner,
                    200,
                    "{\"propagationPolicy\":\"Orphan\"}",
                    status("u1"))
                .wrote("operator", "create", owner, object("web", "u2", "", ""))
                .wrote("controller", "patch", set, object("web-6d4cf56db6", "s1", "u2", "")));

    assertThat(shown(races)).containsExactly("TAKE_OVER [operator] id-2 id-3 id-4");
  }

  /** The request is received before it waits in admission. */
  @Test
  void aCreationIsNoRaceWithWhatGoesBeforeItEnds() throws IOException {
    var requests = deletedJob().wrote("operator", "create", JOB, object("load", "j2", "", ""));
    requests.last().put("stageTimestamp", "2026-11-23T04:10:00.000000Z");
    requests.wrote("gc", "delete", POD, object("load-x7k2p", "p1", "j1", "0"));

    assertThat(races(requests)).isEmpty();
  }

  /** As of a log beside the copy that a collector has shortened. */
  @Test
  void ofARequestThatIsThereTwiceTheOneWithItsBodiesCounts() throws IOException {
    var whole = new Requests();
    var shorter = new Requests();
    for (var actor : List.of("alice", "operator", "operator")) {
      whole.request(actor, "update", MAP, 200, map(1, "x"), map(1, "x"));
      shorter.request(actor, "update", MAP, 200);
    }
    var logs =
        Requests.logs(
            whole.write(folder.resolve("audit.log")),
            shorter.write(folder.resolve("collected-audit.log")));

    assertThat(Races.find(logs, EventFilter.ALL, List.of(), false).races())
        .extracting(Race::kind)
        .containsOnly(Race.Kind.NO_OP);
  }

  /** A pod with a grace period is there until the kubelet deletes it for good. */
  @Test
  void aNameThatIsCreatedAgainOnceAllPodsAreGoneIsFine() throws IOException {
    var requests =
        deletedJob()
            .wrote("gc", "delete", POD, object("load-x7k2p", "p1", "j1", "30"))
            .wrote("kubelet", "delete", POD, object("load-x7k2p", "p1", "j1", "0"))
            .wrote("operator", "create", JOB, object("load", "j2", "", ""));
    assertThat(races(requests)).isEmpty();

    var early =
        deletedJob()
            .wrote("gc", "delete", POD, object("load-x7k2p", "p1", "j1", "30"))
            .wrote("operator", "create", JOB, object("load", "j2", "", ""))
            .wrote("kubelet", "delete", POD, object("load-x7k2p", "p1", "j1", "0"));
    assertThat(shown(races(early))).containsExactly("RECREATED [operator] id-2 id-4 id-5");
  }

  /** The API server answers with the pods as they were before, which the kubelet ends later. */
  @ParameterizedTest
  @CsvSource({"Running, '', 1", "Running, ?gracePeriodSeconds=0, 0", "Succeeded, '', 0"})
  void aRunningPodThatIsDeletedWithOthersIsThereUntilTheKubeletEndsIt(
      String phase, String query, int races) throws IOException {
    var pod =
        object("load-x7k2p", "p1", "j1", "")
            .replaceFirst(
                "}$",
                ",\"spec\":{\"nodeName\":\"n\",\"terminationGracePeriodSeconds\":30},\"status\":{\"phase\":\"%s\"}}"
                    .formatted(phase));
    var requests =
        deletedJob()
            .wrote(
                "gc",
                "deletecollection",
                "pods/shop/",
                "{\"kind\":\"PodList\",\"items\":[%s]}".formatted(pod));
    requests.last().put("requestURI", "/api/v1/namespaces/shop/pods" + query);
    requests
        .wrote("operator", "create", JOB, object("load", "j2", "", ""))
        .wrote("kubelet", "delete", POD, object("load-x7k2p", "p1", "j1", "0"));

    assertThat(races(requests)).hasSize(races);
  }

  /** What is no more remembered must not look as if it still existed. */
  @Test
  void whatIsGoneIsGoneHoweverManyObjectsWereSeenSinceItWasMade() throws IOException {
    var job = "jobs.batch/shop/load";
    var pod = "pods/shop/load-1";
    var requests =
        new Requests()
            .wrote("operator", "create", job, object("load", "j1", "", ""))
            .wrote("controller", "create", pod, object("load-1", "p1", "j1", ""));
    for (var i = 0; i < 20_000; i++) {
      requests.wrote("a", "create", "pods/x/p", object("p" + i, "u" + i, "j9", ""));
    }
    requests
        .wrote("controller", "delete", pod, object("load-1", "p1", "j1", ""))
        .wrote("operator", "delete", job, status("j1"))
        .wrote("operator", "create", job, object("load", "j2", "", ""));

    assertThat(races(requests)).isEmpty();
  }

  @Test
  void anOwnerThatLetsItsDependentsGoFirstTakesNothingOver() throws IOException {
    var owner = "statefulsets.apps/shop/db";
    var pod = "pods/shop/db-0";
    assertNoRace(
        new Requests()
            .wrote("operator", "create", owner, object("db", "u1", "", ""))
            .wrote("controller", "create", pod, object("db-0", "p1", "u1", ""))
            .wrote("operator", "delete", owner, status("u1"))
            .wrote("gc", "patch", pod, object("db-0", "p1", "", ""))
            .wrote("operator", "create", owner, object("db", "u2", "", ""))
            .wrote("controller", "patch", pod, object("db-0", "p1", "u2", "")));
  }

  @Test
  void ownersThatOwnEachOtherAreNoEndlessRound() throws IOException {
    assertThat(
            races(
                new Requests()
                    .wrote("a", "create", "things.x/shop/one", object("one", "u1", "u2", ""))
                    .wrote("a", "create", "things.x/shop/two", object("two", "u2", "u1", ""))
                    // It says nothing of owners.
                    .wrote("hpa", "update", "things.x/shop/two/scale", object("two", "u2", "", ""))
                    .wrote("a", "delete", "things.x/shop/one", status("u1"))
                    .wrote("a", "create", "things.x/shop/one", object("one", "u3", "", ""))))
        .extracting(Race::kind)
        .containsExactly(Race.Kind.RECREATED);
  }

  /** A user with the right to create ConfigMaps can chain them. */
  @Test
  void aLongChainOfOwnersIsFollowedToItsEnd() throws IOException {
    var requests = new Requests();
    for (var i = 0; i < 19_000; i++) {
      var body = object("m" + i, "u" + i, i == 0 ? "" : "u" + (i - 1), "");
      requests.wrote("a", "create", "configmaps/shop/m" + i, body);
    }
    requests
        .wrote("a", "delete", "configmaps/shop/m0", status("u0"))
        .wrote("a", "create", "configmaps/shop/m0", object("m0", "v0", "", ""));

    assertThat(races(requests))
        .singleElement()
        .extracting(Race::summary)
        .asString()
        .contains("18999 objects of its predecessor (uid u0)");
  }

  /** A Scale has the uid of what it scales, and other fields. */
  @Test
  void anotherFormOfAnObjectIsNoFight() throws IOException {
    var scale =
        "{\"kind\":\"Scale\",\"metadata\":{\"uid\":\"m1\",\"resourceVersion\":\"%d\"},\"data\":{}}";
    assertNoRace(
        new Requests()
            .wrote("controller", "update", MAP, map(1, "x"))
            .wrote("alice", "patch", MAP + "/scale", scale.formatted(2))
            .wrote("controller", "update", MAP, map(3, "x"))
            .wrote("alice", "patch", MAP + "/scale", scale.formatted(4))
            .wrote("controller", "update", MAP, map(5, "x")));
  }

  @Test
  void aFightIsFoundThoughTheFirstAnswerOfItsObjectHasAnotherForm() throws IOException {
    var scale =
        "{\"kind\":\"Scale\",\"metadata\":{\"uid\":\"m1\",\"resourceVersion\":\"1\"},\"spec\":{}}";
    assertThat(
            races(
                new Requests()
                    .wrote("hpa", "patch", MAP + "/scale", scale)
                    .wrote("alice", "update", MAP, map(2, "x"))
                    .wrote("alice", "update", MAP, map(3, "y"))
                    .wrote("operator", "patch", MAP, map(4, "x"))))
        .extracting(Race::kind)
        .containsExactly(Race.Kind.FIGHT);
  }

  /** Bob's change to y is in the difference that alice's answer has to the one before. */
  @Test
  void whatAnOvertakenWriteChangedIsNotPutToAnothersAccount() throws IOException {
    assertNoRace(
        new Requests()
            .wrote("bob", "update", MAP, map(1, "x"))
            .wrote("alice", "update", MAP, map(3, "y"))
            .wrote("bob", "update", MAP, map(2, "y"))
            .wrote("bob", "update", MAP, map(4, "x")));
  }

  /** Alice's request came first and was stored last. */
  @Test
  void requestsThatOvertookEachOtherAreNoFight() throws IOException {
    assertNoRace(
        new Requests()
            .wrote("bob", "update", MAP, map(1, "x"))
            .wrote("alice", "update", MAP, map(3, "x"))
            .wrote("bob", "update", MAP, map(2, "y")));
  }

  /** The API server answers the last finalizer's removal with the object as it was stored. */
  @Test
  void removingTheLastFinalizerIsNoNoOp() throws IOException {
    var going =
        "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"settings\",\"uid\":\"m1\",\"resourceVersion\":\"2\",\"deletionTimestamp\":\"2026-11-23T04:00:00Z\"}}";
    assertNoRace(
        new Requests().wrote("alice", "delete", MAP, going).wrote("operator", "patch", MAP, going));
  }

  /** As of a controller that writes a terminating object again and again. */
  @Test
  void aWriteThatChangesNothingOfAnObjectThatIsBeingDeletedIsANoOp() throws IOException {
    var going =
        """
        {"kind":"ConfigMap","metadata":{"name":"settings","uid":"m1","resourceVersion":"2",\
        "deletionTimestamp":"2026-11-23T04:00:00Z","deletionGracePeriodSeconds":0,\
        "finalizers":["example.com/f"]}}\
        """;
    var requests =
        new Requests()
            .wrote("alice", "delete", MAP, going)
            .wrote("operator", "patch", MAP, going)
            .wrote("operator", "patch", MAP, going.replace("[\"example.com/f\"]", "[]"));

    assertThat(shown(races(requests))).containsExactly("NO_OP [operator] id-1");
  }

  /** Collectors drop what they do not know, and a policy may have only the first stage. */
  @Test
  void writesWhoseAnswerIsNotInTheLogAreNotJudged() throws IOException {
    var unanswered = new Requests().request("a", "update", MAP, 200, map(0, "x"), map(1, "x"));
    unanswered.last().remove("responseStatus");
    unanswered.request("a", "update", MAP, 200, map(1, "x"), map(2, "x"));
    var received = new Requests().request("a", "update", MAP, 0, map(0, "x"), null);
    received.last().put("stage", "RequestReceived");
    var notYet = new Requests().request("a", "update", MAP, 200, map(0, "x"), map(1, "x"));
    notYet.request("a", "update", MAP, 0).last().put("stage", "RequestReceived");
    var never = new Requests().request("a", "update", MAP, 0);
    never.last().put("stage", "RequestReceived");
    never.request("a", "update", MAP, 200, map(0, "x"), map(1, "x"));
    never.last().put("requestReceivedTimestamp", "2026-11-23T04:02:00.000000Z");

    assertThat(unjudged(unanswered)).containsExactly(1L, 1L);
    assertThat(unjudged(received)).containsExactly(1L, 1L);
    assertThat(unjudged(notYet)).containsExactly(0L, 0L);
    assertThat(unjudged(never)).containsExactly(1L, 1L);
  }

  @Test
  void aDryRunIsNoWrite() throws IOException {
    var refused = new Requests().wrote("alice", "update", MAP, map(2, "y"));
    refused.request("bob", "patch", MAP, 409, "{}", "{}");
    refused.last().put("requestURI", "/x?dryRun=All");
    var shortened = new Requests().request("a", "update", MAP, 200);
    shortened.last().put("requestURI", "/x?dryRun=All");

    assertNoRace(refused);
    assertThat(unjudged(shortened)).containsExactly(0L, 0L);
  }

  /** Of races, and of the actor's no-op writes. */
  private List<Long> unjudged(Requests requests) throws IOException {
    var logs = Requests.logs(requests.write(folder.resolve("audit.log")));
    return List.of(
        Races.find(logs, EventFilter.ALL, List.of(), false).withoutBody(),
        Top.of(logs, EventFilter.ALL, Top.By.ACTOR).rows().getFirst().unjudged());
  }

  @Test
  void aFilterChoosesAmongRacesNotAmongTheirRequests() throws IOException {
    var log =
        new Requests()
            .wrote("a", "create", "jobs.batch/shop/load", object("load", "j1", "", ""))
            .wrote("c", "create", "pods/shop/load-1", object("load-1", "p1", "j1", ""))
            .wrote("a", "delete", "jobs.batch/shop/load", status("j1"))
            .wrote("a", "create", "jobs.batch/shop/load", object("load", "j2", "", ""))
            .write(folder.resolve("audit.log"));

    assertThat(found(log, "jobs/load")).hasSize(1);
    assertThat(found(log, "jobs/other")).isEmpty();
  }

  /** Of a log that begins after the dependents were made, their times alone tell. */
  @Test
  void aTakeOverOfWhatIsOlderThanTheLogIsFound() throws IOException {
    var owner = "deployments.apps/shop/web";
    var set = "replicasets.apps/shop/web-6d4cf56db6";
    var log =
        new Requests()
            .wrote("operator", "delete", owner, status("u1"))
            .wrote("operator", "create", owner, made("web", "u2", "05", ""))
            .wrote("controller", "patch", set, made("web-6d", "s1", "01", "u2"))
            .wrote(
                "controller", "create", "replicasets.apps/shop/new", made("new", "s2", "06", "u2"))
            .write(folder.resolve("audit.log"));

    var result = Races.find(Requests.logs(log), EventFilter.ALL, List.of(), false);

    assertThat(result.unknown()).isEqualTo(1);
    assertThat(shown(result.races())).containsExactly("TAKE_OVER [operator] id-0 id-1 id-2");
    assertThat(result.races().getFirst().summary())
        .contains("1 objects of its predecessor (uid u1)");
  }

  /** As of a claim that a StatefulSet owns once it is scaled down. */
  @Test
  void whatWasMadeWithoutAnOwnerIsNotTakenOver() throws IOException {
    var owner = "deployments.apps/shop/web";
    assertNoRace(
        new Requests()
            .wrote("alice", "create", MAP, made("settings", "m1", "01", "").replace(OWNER, ""))
            .wrote("operator", "create", owner, made("web", "u2", "05", "").replace(OWNER, ""))
            .wrote("operator", "patch", MAP, made("settings", "m1", "01", "u2")));
  }

  /** It may have had no owner before. */
  @Test
  void aTakeOverIsNotSaidToBeOfAPredecessorThatIsNotInTheLog() throws IOException {
    var owner = "deployments.apps/shop/web";
    assertThat(
            races(
                new Requests()
                    .wrote("operator", "create", owner, made("web", "u2", "05", ""))
                    .wrote("operator", "patch", MAP, made("settings", "m1", "01", "u2"))))
        .extracting(Race::summary)
        .containsExactly(
            owner
                + " was created while 1 objects without a known owner still existed,"
                + " and took some over: configmaps/shop/settings");
  }

  /** Unlike one that runs, it is removed at once, and no other request follows. */
  @ParameterizedTest
  @CsvSource({"Succeeded, 0", "Running, 1"})
  void aPodThatIsEvictedOnceItHasEndedIsGone(String phase, int races) throws IOException {
    var pod =
        object("load-x7k2p", "p1", "j1", "")
            .replaceFirst(
                "}$",
                ",\"spec\":{\"nodeName\":\"n\",\"terminationGracePeriodSeconds\":30},\"status\":{\"phase\":\"%s\"}}"
                    .formatted(phase));
    var requests =
        new Requests()
            .wrote("operator", "create", JOB, object("load", "j1", "", ""))
            .wrote("controller", "create", POD, object("load-x7k2p", "p1", "j1", ""))
            .wrote("kubelet", "patch", POD + "/status", pod)
            .wrote("drain", "create", POD + "/eviction", "{\"kind\":\"Status\"}")
            .wrote("operator", "delete", JOB, status("j1"))
            .wrote("operator", "create", JOB, object("load", "j2", "", ""));

    assertThat(races(requests)).hasSize(races);
  }

  /**
   * The kubelet's answers may not be in the log, and a patch may be answered with metadata alone.
   */
  @ParameterizedTest
  @ValueSource(strings = {"create /binding", "patch "})
  void aPodThatIsKnownToBeBoundWaitsForItsKubelet(String last) throws IOException {
    var binding = last.startsWith("create");
    var spec = binding ? "{}" : "{\"nodeName\":\"n\",\"terminationGracePeriodSeconds\":30}";
    var pod = object("load-x7k2p", "p1", "j1", "").replaceFirst("}$", ",\"spec\":" + spec + "}");
    var answer = binding ? "{\"kind\":\"Status\"}" : object("load-x7k2p", "p1", "j1", "");
    var requests =
        new Requests()
            .wrote("operator", "create", JOB, object("load", "j1", "", ""))
            .wrote("controller", "create", POD, pod)
            .wrote("a", last.split(" ")[0], POD + last.replaceFirst("[^ ]* ", ""), answer)
            .request("kubelet", "patch", POD + "/status", 200)
            .wrote("drain", "create", POD + "/eviction", "{\"kind\":\"Status\"}")
            .wrote("operator", "delete", JOB, status("j1"))
            .wrote("operator", "create", JOB, object("load", "j2", "", ""));

    assertThat(races(requests)).extracting(Race::kind).containsExactly(Race.Kind.RECREATED);
  }

  /** As of {@code kubectl drain --dry-run=server}. */
  @ParameterizedTest
  @CsvSource({"All, 1", "'', 0"})
  void theDryRunOfAnEvictionEndsNothing(String dryRun, int races) throws IOException {
    var eviction = "{\"kind\":\"Eviction\",\"deleteOptions\":{\"dryRun\":[\"%s\"]}}";
    var requests =
        new Requests()
            .wrote("operator", "create", JOB, object("load", "j1", "", ""))
            .wrote("controller", "create", POD, object("load-x7k2p", "p1", "j1", ""))
            .request(
                "drain",
                "create",
                POD + "/eviction",
                201,
                eviction.formatted(dryRun),
                "{\"kind\":\"Status\"}")
            .wrote("operator", "delete", JOB, status("j1"))
            .wrote("operator", "create", JOB, object("load", "j2", "", ""));

    assertThat(races(requests)).hasSize(races);
  }

  /** Its pod is made later, and waits for the new one. */
  @ParameterizedTest
  @CsvSource({"'\"finalizers\":[]', 0", "'\"finalizers\":[\"f\"]', 1"})
  void aClaimThatIsGoneBeforeItsPodIsMadeDoesNotVanish(String last, int races) throws IOException {
    var claim = "persistentvolumeclaims/shop/data";
    var needs = "\"volumes\":[{\"persistentVolumeClaim\":{\"claimName\":\"data\"}}]";
    var going =
        "{\"metadata\":{\"name\":\"data\",\"uid\":\"c1\",\"resourceVersion\":\"2\",\"deletionTimestamp\":\"2026-11-23T04:00:00Z\",%s}}";
    var requests =
        new Requests()
            .wrote("operator", "delete", claim, going.formatted("\"finalizers\":[\"f\",\"g\"]"))
            .wrote("protection", "update", claim, going.formatted(last))
            .wrote("controller", "create", "pods/shop/web-0", pod("Pending", needs))
            .wrote("operator", "create", claim, object("data", "c2", "", ""));

    assertThat(vanished(requests)).hasSize(races);
  }

  /** It is kept until its pods are gone. */
  @Test
  void aClaimThatIsKeptUntilItsPodRunsDoesNotVanish() throws IOException {
    var claim = "persistentvolumeclaims/shop/data";
    var needs = "\"volumes\":[{\"persistentVolumeClaim\":{\"claimName\":\"data\"}}]";
    var going = object("data", "c1", "", "0").replace("\"uid\"", "\"finalizers\":[\"f\"],\"uid\"");
    assertThat(
            vanished(
                new Requests()
                    .wrote("controller", "create", "pods/shop/web-0", pod("Pending", needs))
                    .wrote("operator", "delete", claim, going)
                    .wrote("kubelet", "patch", "pods/shop/web-0/status", pod("Running", needs))))
        .isEmpty();
  }

  @Test
  void whatVanishesWhileAPodWaitsForItIsFound() throws IOException {
    var claim = "persistentvolumeclaims/shop/data";
    var pod = "pods/shop/web-0";
    var needs = "\"volumes\":[{\"persistentVolumeClaim\":{\"claimName\":\"data\"}}]";
    var waits =
        new Requests()
            .wrote("controller", "create", pod, pod("Pending", needs))
            .wrote("operator", "delete", claim, object("data", "c1", "", ""));
    assertThat(vanished(waits))
        .containsExactly(
            "%s was deleted while %s needed it, which had not started id-0 id-1"
                .formatted(claim, pod));

    waits
        .wrote("operator", "create", claim, object("data", "c2", "", ""))
        .wrote("kubelet", "patch", pod + "/status", pod("Running", needs));
    assertThat(vanished(waits))
        .containsExactly(
            "%s was deleted and created again while %s needed it, which had not started id-0 id-1 id-2"
                .formatted(claim, pod));

    waits.wrote("operator", "delete", pod, status("p1"));
    assertThat(vanished(waits)).isEmpty();
  }

  @Test
  void onlyPodsThatStillWaitMissWhatVanishes() throws IOException {
    var needs = "\"volumes\":[{\"configMap\":{\"name\":\"settings\"}}]";
    var requests = new Requests();
    for (var pod : List.of("web-0", "web-1", "web-2", "web-3", "web-4")) {
      requests.wrote("controller", "create", "pods/shop/" + pod, pod("Pending", needs));
    }
    requests
        .wrote("controller", "create", "pods/other/web-0", pod("Pending", needs))
        .wrote("kubelet", "patch", "pods/shop/web-0/status", pod("Running", needs))
        .wrote("operator", "delete", "pods/shop/web-1", status("p1"))
        .wrote("operator", "delete", "pods/shop/web-2", status("p1"))
        .wrote("controller", "create", "pods/shop/web-2", pod("Pending", needs))
        .wrote("controller", "create", "pods/shop/web-4", pod("Pending", "\"volumes\":[]"))
        .wrote("operator", "delete", MAP, status("m1"));

    assertThat(vanished(requests))
        .containsExactly(
            MAP + " was deleted while pods/shop/web-3 needed it, which had not started id-3 id-11",
            MAP + " was deleted while pods/shop/web-4 needed it, which had not started id-4 id-11",
            MAP + " was deleted while pods/shop/web-2 needed it, which had not started id-9 id-11");
  }

  @Test
  void whatIsMadeAgainAllTheTimeIsShownOnce() throws IOException {
    var needs = "\"containers\":[{\"envFrom\":[{\"configMapRef\":{\"name\":\"settings\"}}]}]";
    var waits =
        new Requests().wrote("controller", "create", "pods/shop/web-0", pod("Pending", needs));
    for (var version = 1; version <= 5; version++) {
      waits
          .wrote("operator", "delete", MAP, status("m1"))
          .wrote("operator", "create", MAP, map(version, "x"));
    }

    assertThat(vanished(waits)).singleElement().asString().endsWith("started id-0 id-1 id-2");
  }

  @Test
  void whatAPodNeedsNotOrWaitsForAMomentOnlyDoesNotVanish() throws IOException {
    var settings = "configmaps/shop/settings";
    var pod = "pods/shop/web-0";
    var needs = "\"containers\":[{\"envFrom\":[{\"configMapRef\":{\"name\":\"settings\"}}]}]";
    var late =
        new Requests()
            .wrote("operator", "delete", settings, status("m1"))
            .wrote("controller", "create", pod, pod("Pending", needs));
    assertThat(vanished(late)).hasSize(1);
    var unknown =
        new Requests()
            .wrote("controller", "create", pod, pod("Pending", needs))
            .request("kubelet", "patch", pod + "/status", 200, null, null)
            .wrote("operator", "delete", settings, status("m1"));
    assertThat(vanished(unknown)).as("it may have started").isEmpty();
    late.wrote("operator", "create", settings, map(1, "x"))
        .wrote("kubelet", "patch", pod + "/status", pod("Running", needs));
    assertThat(vanished(late)).isEmpty();

    var optional =
        new Requests()
            .wrote(
                "controller",
                "create",
                pod,
                pod("Pending", needs.replace("\"settings\"", "\"settings\",\"optional\":true")))
            .wrote("operator", "delete", settings, status("m1"));
    assertThat(vanished(optional)).isEmpty();
    var teardown =
        new Requests()
            .wrote("controller", "create", pod, pod("Pending", needs))
            .wrote("operator", "delete", "namespaces/shop/shop", object("shop", "n1", "", ""))
            .wrote("controller", "delete", settings, status("m1"));
    assertThat(vanished(teardown)).isEmpty();

    teardown
        .wrote("ci", "create", "namespaces/shop/shop", object("shop", "n2", "", ""))
        .wrote("controller", "create", pod, pod("Pending", needs))
        .wrote("operator", "delete", settings, status("m2"));
    assertThat(vanished(teardown)).as("the namespace is a new one").hasSize(1);
  }

  @Test
  void podsThatAreEvictedOrDeletedTogetherWaitNoMore() throws IOException {
    var settings = "configmaps/shop/settings";
    var needs = "\"volumes\":[{\"configMap\":{\"name\":\"settings\"}}]";
    for (var end : List.of("create pods/shop/web-0/eviction", "deletecollection pods/shop/")) {
      var waits =
          new Requests()
              .wrote("controller", "create", "pods/shop/web-0", pod("Pending", needs))
              .wrote("operator", "delete", settings, status("m1"));
      assertThat(vanished(waits)).hasSize(1);
      waits.request(
          "a",
          end.split(" ")[0],
          end.split(" ")[1],
          end.contains("eviction") ? 201 : 200,
          null,
          end.contains("eviction")
              ? status("p1")
              : "{\"kind\":\"PodList\",\"items\":[%s]}".formatted(pod("Pending", needs)));
      assertThat(vanished(waits)).as(end).isEmpty();
    }
  }

  @Test
  void whatIsDeletedTogetherVanishesToo() throws IOException {
    var needs = "\"volumes\":[{\"configMap\":{\"name\":\"settings\"}}]";
    var log =
        new Requests()
            .wrote("controller", "create", "pods/shop/web-0", pod("Pending", needs))
            .wrote(
                "operator",
                "deletecollection",
                "configmaps/shop/",
                "{\"kind\":\"ConfigMapList\",\"items\":[%s]}".formatted(map(1, "x")));

    assertThat(vanished(log))
        .containsExactly(
            "configmaps/shop/settings was deleted while pods/shop/web-0 needed it, which had not"
                + " started id-0 id-1");
    assertThat(races(log).getFirst().object().name()).isEqualTo("settings");
  }

  private List<String> vanished(Requests requests) throws IOException {
    return races(requests).stream()
        .filter(race -> race.kind() == Race.Kind.VANISHED)
        .map(race -> race.summary() + ids(race))
        .toList();
  }

  /** What each is, whose, and what proves it. */
  private static List<String> shown(List<Race> races) {
    return races.stream().map(race -> race.kind() + " " + race.actors() + ids(race)).toList();
  }

  private static String ids(Race race) {
    return race.evidence().stream()
        .map(event -> " " + event.auditId())
        .collect(Collectors.joining());
  }

  private static String pod(String phase, String spec) {
    return """
    {"kind":"Pod","metadata":{"name":"web-0","uid":"p1"},"spec":{%s},"status":{"phase":"%s"}}\
    """
        .formatted(spec, phase);
  }

  private static final String OWNER = "{\"uid\":\"\",\"controller\":true}";

  private static String made(String name, String uid, String second, String owner) {
    return """
    {"kind":"Thing","metadata":{"name":"%s","uid":"%s","creationTimestamp":"2026-11-23T04:00:%sZ",
    "ownerReferences":[{"uid":"%s","controller":true}]}}\
    """
        .formatted(name, uid, second, owner);
  }

  private static List<Race> found(Path log, String object) throws IOException {
    var filter = Requests.about(object);
    return Races.find(Requests.logs(log), filter, List.of(), false).races();
  }

  /** A job with a pod, which its deletion leaves to the garbage collector. */
  private static Requests deletedJob() {
    return new Requests()
        .wrote("operator", "create", JOB, object("load", "j1", "", ""))
        .wrote("controller", "create", POD, object("load-x7k2p", "p1", "j1", ""))
        .wrote("operator", "delete", JOB, status("j1"));
  }

  private void assertNoRace(Requests requests) throws IOException {
    assertThat(races(requests)).isEmpty();
  }

  private List<Race> races(Requests requests) throws IOException {
    return find(requests.write(folder.resolve("audit.log")), List.of(), false);
  }

  private static List<Race> find(Path log, List<Races.Allowance> allowed, boolean system)
      throws IOException {
    return Races.find(Requests.logs(log), EventFilter.ALL, allowed, system).races();
  }

  private static String stamped(int version, String value) {
    var hash = "\"annotations\":{\"shipshape.dev/config-hash\":\"" + value + "\"},";
    return map(version, value).replace("\"uid\"", hash + "\"uid\"");
  }

  private static String map(int version, String value) {
    return """
    {"kind":"ConfigMap","metadata":{"name":"settings","uid":"m1","resourceVersion":"%d"},"data":{"key":"%s"}}\
    """
        .formatted(version, value);
  }

  private static String object(String name, String uid, String owner, String grace) {
    return """
    {"kind":"Thing","metadata":{"name":"%s","uid":"%s","resourceVersion":"%d"%s%s}}\
    """
        .formatted(
            name,
            uid,
            System.nanoTime(),
            owner.isEmpty() ? "" : ",\"ownerReferences\":[{\"uid\":\"%s\"}]".formatted(owner),
            grace.isEmpty()
                ? ""
                : ",\"deletionTimestamp\":\"2026-11-23T04:00:30Z\",\"deletionGracePeriodSeconds\":%s"
                    .formatted(grace));
  }

  private static String status(String uid) {
    return """
    {"kind":"Status","status":"Success","details":{"uid":"%s"}}\
    """
        .formatted(uid);
  }
}
