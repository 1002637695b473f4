package dev.shipshape.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventSearchTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void anEventInTwoFilesIsShownOnce() throws IOException {
    var requests = new Requests();
    requests.request("a", "get", "pods/shop/web-0", 200);
    var first = requests.write(folder.resolve("a.log"));
    var second = requests.write(folder.resolve("b.log"));

    var found = EventSearch.find(Requests.logs(first, second, second), "id-0");

    assertThat(found.entries())
        .singleElement()
        .extracting(EventSearch.Entry::source)
        .isEqualTo(first.toString());
    assertThat(found.matched()).isEqualTo(1);
  }

  /** Webhooks' patches are among a Secret's annotations; a message may quote a value. */
  @Promise(
      value = "The data of Secrets and tokens is never shown.",
      breaks = "Hiding by field name.")
  @ParameterizedTest
  @ValueSource(ints = {400, 403, 422})
  void nothingOfASecretIsShownWhereverTheLogHasIt(int code) throws IOException {
    var requests = new Requests();
    var body =
        """
        {"kind":"Secret","metadata":{"name":"db"},"data":{"p":"aHVudGVy","code":"aHVudGVy",\
        "type":"aHVudGVy","labels":{"name":"aHVudGVy"}}}\
        """;
    requests.request("a", "create", "secrets/shop/db", code, body, null);
    requests.last().putObject("annotations").put("patch.webhook/round_0", "add aHVudGVy");
    var status = requests.last().withObject("/responseStatus").put("message", "invalid: aHVudGVy");
    status.withArray("/details/causes").addObject().put("message", "invalid: aHVudGVy");
    var log = requests.write(folder.resolve("audit.log"));

    assertThat(EventSearch.find(Requests.logs(log), "id-0").entries())
        .singleElement()
        .satisfies(
            entry -> assertThat(entry.json().toString()).contains("db").doesNotContain("aHVudGVy"));
    assertThat(Requests.timeline(Requests.logs(log), EventFilter.ALL, Timeline.Form.CSV))
        .contains("(hidden)")
        .doesNotContain("aHVudGVy");
  }

  /** In what a collector spells so, no secret was looked for. */
  @Test
  void aBodyWhoseNameIsSpelledWithEscapesIsNotShown() throws IOException {
    var requests = new Requests();
    var body = "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"db\"},\"data\":{\"p\":\"aHVudGVy\"}}";
    requests.request("a", "create", "secrets/shop/db", 201, body, null);
    var log = requests.write(folder.resolve("audit.log"));
    Files.writeString(
        log, Files.readString(log).replace("\"requestObject\"", "\"requestObj\\u0065ct\""));

    assertThat(EventSearch.find(Requests.logs(log), "id-0").entries())
        .singleElement()
        .satisfies(entry -> assertThat(entry.json().toString()).doesNotContain("aHVudGVy"));
  }

  /** Collectors make texts of objects, and keys of paths, and drop what is too long for them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "an object",
        "a text",
        "a text within a text",
        "a text that is cut",
        "a list",
        "a patch without a kind",
        "beside it"
      })
  void nothingOfASecretIsShownInWhateverFormTheLogHasIt(String form) throws IOException {
    var body = "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"db\"},\"data\":{\"p\":\"aHVudGVy\"}}";
    var patch = "{\"data\":{\"p\":\"aHVudGVy\"}}";
    var requests = new Requests();
    for (var uri :
        List.of("", "/apis/", "/api/v1/namespaces/shop/secrets/db?x=y", "/api/v1/%73ecrets")) {
      for (var without : List.of("objectRef", "x")) {
        requests.request("a", "update", "secrets/shop/db", 200);
        var event = requests.last().put("requestURI", uri);
        event.remove(without);
        switch (form) {
          case "a text" -> event.put("requestObject", body);
          case "a text within a text" ->
              event.put("requestObject", event.textNode(body).toString());
          case "a text that is cut" -> event.put("responseObject", body.substring(0, 60));
          case "a list" -> event.putArray("responseObject").add(body).add(Json.tree(body));
          case "a patch without a kind" -> event.put("requestObject", patch);
          case "beside it" -> {
            event.put("requestObject.data.p", "aHVudGVy").put("annotations", "add aHVudGVy");
            event.put("responseStatus", "{\"code\":422,\"message\":\"invalid: aHVudGVy\"}");
          }
          default -> event.set("requestObject", Json.tree(body));
        }
      }
    }
    var log = requests.write(folder.resolve("audit.log"));

    for (var id : Requests.auditIds(Requests.logs(log))) {
      assertThat(EventSearch.find(Requests.logs(log), id).entries())
          .singleElement()
          .satisfies(
              entry ->
                  assertThat(entry.json().toString()).contains("(hidden)").doesNotContain("aHV"));
    }
    for (var output : List.of(Timeline.Form.JSON, Timeline.Form.HTML)) {
      var out = new ByteArrayOutputStream();
      Timeline.write(Requests.logs(log), EventFilter.ALL, true, output, out);
      assertThat(out.toString(UTF_8)).contains("id-7").doesNotContain("aHV");
    }
  }
}
