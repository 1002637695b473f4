package dev.shipshape.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTest {
  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource(names = {"TABLE", "CSV", "JSON"})
  void eachFormIsAsItWas(Timeline.Form form) throws IOException {
    var requests = sample();
    var log = requests.write(folder.resolve("audit.log"));

    assertThat(
            Requests.timeline(Requests.logs(log), EventFilter.ALL, form)
                .replaceAll("SOURCE +A", "SOURCE  A")
                .replace(log.toString(), "LOG"))
        .isEqualTo(Golden.text("timeline." + form.name().toLowerCase(Locale.ROOT)));
  }

  @Test
  void objectsAreFoundByAnyPartOfTheirPath() throws IOException {
    assertThat(found("pods/web-0")).containsExactly("id-1", "id-3");
    assertThat(found("pods/shop/web-*")).containsExactly("id-1", "id-3", "id-4");
    assertThat(found("pods/*/web-0/status")).containsExactly("id-3");
    assertThat(found("deployments.apps/web")).containsExactly("id-0");
    assertThat(found("deployments.other/web")).isEmpty();
    // A create with generateName, whose name is in the response alone.
    assertThat(found("pods/shop/made-x7k2p")).containsExactly("id-5");
  }

  @Test
  void allCriteriaCount() throws IOException {
    var all = EventFilter.ALL;
    assertThat(found(all.onlyTimeOfMutations())).containsExactly("id-0", "id-3", "id-5", "id-6");
    assertThat(found(filter(Set.of("u9"), List.of(), List.of(), Long.MIN_VALUE, Long.MAX_VALUE)))
        .containsExactly("id-5");
    assertThat(
            found(filter(Set.of(), List.of("mallory"), List.of(), Long.MIN_VALUE, Long.MAX_VALUE)))
        .containsExactly("id-6");
    assertThat(found(filter(Set.of(), List.of("root*"), List.of(), Long.MIN_VALUE, Long.MAX_VALUE)))
        .containsExactly("id-6");
    assertThat(found(filter(Set.of(), List.of(), List.of("4*"), Long.MIN_VALUE, Long.MAX_VALUE)))
        .containsExactly("id-2", "id-6");
    assertThat(
            found(
                filter(
                    Set.of(),
                    List.of(),
                    List.of(),
                    Times.parse("2026-11-23T04:00:01Z"),
                    Times.parse("2026-11-23T05:00:03+01:00"))))
        .containsExactly("id-1", "id-2");
  }

  /** Some collectors have no other numbers. */
  @Test
  void aCodeWithADecimalPointIsTheSameCode() throws IOException {
    var requests = new Requests().request("a", "update", "pods/shop/web-0", 0);
    requests.last().withObject("/responseStatus").put("code", 409.0);
    var log = requests.write(folder.resolve("audit.log"));
    var filter = filter(Set.of(), List.of(), List.of("409"), Long.MIN_VALUE, Long.MAX_VALUE);

    assertThat(Requests.timeline(Requests.logs(log), filter, Timeline.Form.CSV))
        .contains("a,update,409,pods");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"127.0.0.1\"",
        "127.0.0.1",
        "[\"data\":\"aHVudGVy\" \"127.0.0.1\"]",
        "[{\"data\":\"aHVudGVy\"}]",
        "{\"data\":\"aHVudGVy\"}"
      })
  void whatIsNoListOfTextsIsNoSourceIps(String value) throws IOException {
    var lines = new ArrayList<String>();
    for (var body : List.of("{\"x\":[1 2]}", "\"no \\\"JSON\\\"\"", "01", "{\"x\":NaN}")) {
      lines.add(
          "{\"sourceIPs\":%s,\"requestObject\":%s,%s"
              .formatted(value, body, sample().lines().get(lines.size()).substring(1)));
    }
    var log = Requests.logs(Files.write(folder.resolve("audit.log"), lines));
    var json = new ByteArrayOutputStream();
    Timeline.write(log, EventFilter.ALL, true, Timeline.Form.JSON, json);

    assertThat(json.toString(UTF_8).lines())
        .hasSize(4)
        .allSatisfy(line -> assertThat(Json.tree(line).has("auditID")).isTrue());
    for (var form : Timeline.Form.values()) {
      assertThat(Requests.timeline(log, EventFilter.ALL, form)).doesNotContain("aHVudGVy");
    }
  }

  /** They are evidence: no number is written otherwise than it was sent. */
  @Test
  void bodiesAreShownAsTheyWereRecorded() throws IOException {
    var body = "{\"spec\":{\"ratio\":1.10,\"limit\":1e400}}";
    var requests = new Requests().request("a", "update", "pods/shop/web-0", 200, body, null);
    var log = Requests.logs(requests.write(folder.resolve("audit.log")));
    Files.writeString(
        folder.resolve("audit.log"),
        Files.readString(folder.resolve("audit.log"))
            .replaceAll("\"requestObject\":\\{[^}]*}}", "\"requestObject\":" + body));
    var json = new ByteArrayOutputStream();

    Timeline.write(log, EventFilter.ALL, true, Timeline.Form.JSON, json);

    assertThat(json.toString(UTF_8)).contains("\"requestObject\":" + body);
  }

  @Test
  void questionsToTheApiServerAreNoMutations() throws IOException {
    var log =
        new Requests()
            .request("a", "create", "subjectaccessreviews.authorization.k8s.io//x", 201)
            .request("a", "create", "selfsubjectreviews.authentication.k8s.io//x", 201)
            .request("a", "create", "subjectaccessreviews.authorization.openshift.io//x", 201)
            .request("a", "create", "codereviews.example.com/shop/x", 201)
            .request("a", "create", "pods/shop/web-0/exec", 101)
            .request("a", "create", "pods/shop/web-0/eviction", 201)
            .write(folder.resolve("other.log"));

    assertThat(
            Requests.timeline(
                    Requests.logs(log), EventFilter.ALL.onlyTimeOfMutations(), Timeline.Form.CSV)
                .lines()
                .skip(1))
        .satisfiesExactly(
            line -> assertThat(line).contains("codereviews"),
            line -> assertThat(line).contains("eviction"));
  }

  private List<String> found(String object) throws IOException {
    return found(Requests.about(object));
  }

  private List<String> found(EventFilter filter) throws IOException {
    var log = sample().write(folder.resolve("audit.log"));
    return Requests.timeline(Requests.logs(log), filter, Timeline.Form.CSV)
        .lines()
        .skip(1)
        .map(line -> line.substring(line.lastIndexOf(',') + 1))
        .toList();
  }

  private static EventFilter filter(
      Set<String> uids, List<String> actors, List<String> codes, long from, long to) {
    return new EventFilter(
        List.of(),
        uids,
        actors.stream().map(TextPattern::of).toList(),
        Set.of(),
        codes.stream().map(TextPattern::of).toList(),
        List.of(),
        from,
        to,
        false);
  }

  private static Requests sample() {
    var requests =
        new Requests()
            .request("alice", "create", "deployments.apps/shop/web", 201)
            .request("bob", "get", "pods/shop/web-0", 200)
            .request("=cmd|calc", "get", "secrets/shop/\u001b[2Jx, \"y\"", 404)
            .request("system:node:worker-1", "patch", "pods/shop/web-0/status", 200)
            .request("bob", "get", "pods/shop/web-1", 200)
            .wrote(
                "controller",
                "create",
                "pods/shop/",
                "{\"metadata\":{\"name\":\"made-x7k2p\",\"uid\":\"u9\"}}")
            .request("root@example.org", "delete", "pods/shop/grüße", 403);
    requests.last().putObject("impersonatedUser").put("username", "mallory");
    requests.last().put("stageTimestamp", "2026-11-23T05:00:06.5Z");
    return requests;
  }
}
