package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectHistoryTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void showsWhatChangedFromResponseToResponse() throws IOException {
    var requests =
        new Requests()
            .wrote("alice", "create", "deployments.apps/shop/web", web("u1", 100, "1", "v1"))
            .request("alice", "patch", "deployments.apps/shop/web/scale", 200, null, null)
            .wrote("hpa", "update", "deployments.apps/shop/web", web("u1", 103, "5", "v1"))
            .wrote("alice", "patch", "deployments.apps/shop/web", web("u1", 101, "2", "v1"))
            .request("bob", "update", "deployments.apps/shop/web", 409, null, null)
            .wrote("hpa", "update", "deployments.apps/shop/web", web("u1", 103, "5", "v1"))
            .wrote(
                "alice",
                "delete",
                "deployments.apps/shop/web",
                "{\"kind\":\"Status\",\"details\":{\"uid\":\"u1\"}}")
            .wrote("alice", "create", "deployments.apps/shop/web", web("u2", 110, "1", "v2"));

    assertThat(history(requests, "deployments/web"))
        .isEqualTo(
            Golden.text("history.txt").replace("LOG", folder.resolve("audit.log").toString()));
  }

  /** The API server names a namespace as its own, but when it is created. */
  @Test
  void aNamespaceHasOneLife() throws IOException {
    var body =
        "{\"kind\":\"Namespace\",\"metadata\":{\"name\":\"shop\",\"uid\":\"n1\",\"resourceVersion\":\"%d\",\"labels\":{\"a\":\"%d\"}}}";
    var requests =
        new Requests()
            .wrote("a", "create", "namespaces//shop", body.formatted(1, 1))
            .wrote("a", "patch", "namespaces/shop/shop", body.formatted(2, 2))
            .wrote("a", "update", "namespaces/shop/shop", body.formatted(3, 3));

    assertThat(history(requests, "namespaces/shop"))
        .containsOnlyOnce("namespaces/shop  uid n1")
        .contains("~ metadata.labels.a: \"1\" -> \"2\"", "~ metadata.labels.a: \"2\" -> \"3\"");
  }

  @Test
  void whatOthersChangedIsNotShownAsTheChangeOfWhomIsAskedFor() throws IOException {
    var requests =
        new Requests()
            .wrote("alice", "create", "deployments.apps/shop/web", web("u1", 5, "1", "v1"))
            .wrote("bob", "patch", "deployments.apps/shop/web", web("u1", 6, "7", "v1"))
            .wrote("bob", "create", "deployments.apps/shop/other", web("u2", 7, "7", "v1"))
            .wrote("alice", "patch", "deployments.apps/shop/web", web("u1", 8, "7", "v2"));

    assertThat(history(requests, "deployments/*", List.of(TextPattern.of("alice"))))
        .contains("resourceVersion 6 -> 8", "\"v1\" -> \"v2\"")
        .doesNotContain("bob", "replicas", "shop/other");
  }

  /** A read may arrive first, and see what another request wrote meanwhile. */
  @Test
  void aVersionIsOfTheWriteThatWasAnsweredFirst() throws IOException {
    var requests =
        new Requests()
            .wrote("alice", "create", "deployments.apps/shop/web", web("u1", 5, "1", "v1"))
            .wrote("reader", "get", "deployments.apps/shop/web", web("u1", 6, "7", "v1"));
    requests.last().put("stageTimestamp", "2026-11-23T04:01:00.000000Z");
    requests.wrote("slow", "patch", "deployments.apps/shop/web", web("u1", 6, "7", "v1"));
    requests.last().put("stageTimestamp", "2026-11-23T04:01:00.000000Z");
    requests.wrote("bob", "patch", "deployments.apps/shop/web", web("u1", 6, "7", "v1"));

    assertThat(history(requests, "deployments/web"))
        .containsPattern("bob  patch .*resourceVersion 5 -> 6")
        .doesNotContain("reader");
  }

  /** The write itself may be logged without its bodies. */
  @Test
  void aNoOpIsNotTakenForTheChangeThatAReadHasShownBefore() throws IOException {
    var requests =
        new Requests()
            .wrote("alice", "create", "deployments.apps/shop/web", web("u1", 5, "1", "v1"))
            .request("operator", "patch", "deployments.apps/shop/web", 200)
            .wrote("reader", "get", "deployments.apps/shop/web", web("u1", 6, "7", "v1"))
            .wrote("bob", "patch", "deployments.apps/shop/web", web("u1", 6, "7", "v1"));

    assertThat(history(requests, "deployments/web"))
        .containsPattern("reader  get .*resourceVersion 5 -> 6")
        .containsPattern("bob  patch .*changed nothing");
  }

  /** A finalizer, a grace period or the controller of namespaces holds it up. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      delimiter = '|',
      value = {
        "configmaps/shop/web | '\"finalizers\":[\"f\"]},' | '\"finalizers\":[]},' | patch",
        "namespaces/web/web | '\"generation\":1},\"spec\":{\"finalizers\":[\"kubernetes\"]},' |"
            + " '\"generation\":1},' | update",
        "pods/shop/web | '\"deletionGracePeriodSeconds\":30},' |"
            + " '\"deletionGracePeriodSeconds\":0},' | delete"
      })
  void anObjectIsDeletedOnceNothingHoldsItUp(String object, String held, String free, String last)
      throws IOException {
    var body =
        "{\"kind\":\"Thing\",\"metadata\":{\"name\":\"web\",\"uid\":\"u1\",\"resourceVersion\":\"%d\",\"deletionTimestamp\":\"2026-11-23T04:00:00Z\",%s\"status\":{}}";
    var isPod = object.startsWith("pods");
    var requests =
        new Requests()
            .wrote("alice", "delete", object, body.formatted(2, held))
            .wrote("bob", "delete", object, body.formatted(2, held))
            .wrote("operator", "patch", object, body.formatted(2, held))
            .wrote("last", last, object, body.formatted(isPod ? 3 : 2, free));

    var history = history(requests, object.replace("/web/web", "/web"));

    assertThat(history)
        .containsPattern("bob  delete .*changed nothing")
        .containsPattern("operator  patch .*changed nothing")
        .containsOnlyOnce("deleted")
        .containsPattern(
            "last  " + last + " .*" + (isPod ? "deleted " : "deleted, as its last finalizer went"));
  }

  @Test
  void theDataOfSecretsIsNeverShown() throws IOException {
    var secret =
        """
        {"kind":"Secret","metadata":{"name":"s","uid":"u","resourceVersion":"%d","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\\"data\\":{\\"p\\":\\"aHVudGVyMg==\\"}}"}},"data":{"p":"aHVudGVyMg==%d"},"stringData":{"q":"hunter2"}}\
        """;
    var requests =
        new Requests()
            .request(
                "a",
                "create",
                "secrets/shop/s",
                201,
                secret.formatted(1, 1),
                secret.formatted(1, 1))
            .request(
                "a",
                "patch",
                "secrets/shop/s",
                200,
                "[{\"op\":\"add\",\"path\":\"/data/p\",\"value\":\"aHVudGVyMg==\"}]",
                secret.formatted(2, 2))
            .request(
                "a",
                "create",
                "configmaps/shop/s",
                201,
                "{\"kind\":\"List\",\"items\":[" + secret.formatted(3, 3) + "]}",
                null);
    var log = requests.write(folder.resolve("audit.log"));

    assertThat(history(requests, "*/s")).doesNotContain("aHVudGVyMg", "hunter2");
    assertThat(Requests.read(log))
        .allSatisfy(
            event ->
                assertThat(event.toString())
                    .contains("(hidden)")
                    .doesNotContain("aHVudGVyMg", "hunter2"));
  }

  @Test
  void tokensAreNeverShown() throws IOException {
    var token =
        "{\"kind\":\"TokenRequest\",\"spec\":{\"audiences\":[\"x\"]},\"status\":{\"token\":\"eyJhbGciOi\"}}";
    var review = "{\"kind\":\"TokenReview\",\"spec\":{\"token\":\"eyJhbGciOi\"}}";
    var log =
        new Requests()
            .request("a", "create", "serviceaccounts/shop/x/token", 201, token, token)
            .request("a", "create", "tokenreviews.authentication.k8s.io//x", 201, review, review)
            .request(
                "a",
                "patch",
                "secrets/shop/s",
                422,
                "{\"data\":\"eyJhbGciOi\"}",
                "{\"message\":\"eyJhbGciOi\"}")
            .write(folder.resolve("audit.log"));

    assertThat(Requests.read(log))
        .hasSize(3)
        .allSatisfy(event -> assertThat(event.toString()).doesNotContain("eyJhbGciOi"));
  }

  private String history(Requests requests, String object) throws IOException {
    return history(requests, object, List.of());
  }

  private String history(Requests requests, String object, List<TextPattern> actors)
      throws IOException {
    var log = requests.write(folder.resolve("audit.log"));
    var out = new ByteArrayOutputStream();
    ObjectHistory.write(Requests.logs(log), Requests.about(object, actors), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String web(String uid, int version, String replicas, String image) {
    return """
    {"kind":"Deployment","metadata":{"name":"web","uid":"%s","resourceVersion":"%d","generation":1,
    "managedFields":[{"manager":"x%d"}]},"spec":{"replicas":%s,"template":{"spec":{"containers":[
    {"name":"sidecar","image":"s"},{"name":"web","image":"%s"}]}}}}\
    """
        .formatted(uid, version, version, replicas, image);
  }
}
