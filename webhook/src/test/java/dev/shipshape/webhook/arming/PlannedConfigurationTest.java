package dev.shipshape.webhook.arming;

import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the validating configuration is to be, by what is wished and what is seen. */
class RegisteredTest {

  @Test
  void aGuardRefusesOnlyOnceReplicasCanBeAsked() {
    var before = written(wish("armed", "unarmed"), null, RegisteredTest::lost);

    assertThat(states(before)).isEqualTo("armed=audit,Ignore unarmed=audit,Ignore");
    assertThat(states(written(wish("armed", "unarmed"), before, RegisteredTest::good)))
        .isEqualTo("armed=validate,Fail unarmed=audit,Ignore");
  }

  @Test
  void itSaysWhatItWaitsFor() {
    var registered = Registered.of(wish("armed"), mutating("A"), null, RegisteredTest::lost);

    assertThat(registered.waiting()).containsExactly("armed");
    assertThat(registered.why()).isEqualTo("0 replicas are ready");
  }

  @Test
  void replicasThatAreLostDisarmNothing() {
    var armed = written(wish("armed"), null, RegisteredTest::good);

    assertThat(Registered.of(wish("armed"), mutating("A"), armed, RegisteredTest::lost).manifest())
        .isNull();
  }

  @Test
  void aNewGuardWaitsBesideOneThatRefuses() {
    var armed = written(wish("armed"), null, RegisteredTest::good);

    assertThat(states(written(wish("armed", "armed2"), armed, RegisteredTest::lost)))
        .isEqualTo("armed=validate,Fail armed2=audit,Ignore");
  }

  @Test
  void aWishThatIsWithdrawnDisarms() {
    var armed = written(wish("armed"), null, RegisteredTest::good);
    var wish = wish("armed");
    var entry = (ObjectNode) wish.manifest().at("/webhooks/0");
    entry.put("failurePolicy", "Ignore");
    ((ObjectNode) entry.at("/clientConfig/service")).put("path", "/audit");

    assertThat(states(written(wish, armed, RegisteredTest::lost))).isEqualTo("armed=audit,Ignore");
  }

  @Test
  void nothingIsWrittenWhereOnlyTheApiServersDefaultsAreMore() {
    var armed = written(wish("armed"), null, RegisteredTest::good);
    ((ObjectNode) armed.at("/webhooks/0")).put("timeoutSeconds", 10).remove("objectSelector");
    ((ObjectNode) armed.at("/metadata")).put("uid", "u");
    armed.remove("kind");

    assertThat(Registered.of(wish("armed"), mutating("A"), armed, RegisteredTest::good).manifest())
        .isNull();
  }

  @Test
  void whatSomebodyElseChangesIsPutBack() {
    var armed = written(wish("armed"), null, RegisteredTest::good);
    ((ObjectNode) armed.at("/webhooks/0")).put("failurePolicy", "Ignore");

    assertThat(states(written(wish("armed"), armed, RegisteredTest::good)))
        .isEqualTo("armed=validate,Fail");
  }

  @Test
  void whileReplicasStillServeTheOldCertificateBothAreTrusted() {
    var armed = written(wish("armed"), null, RegisteredTest::good);

    var rolling = written(wish("armed"), mutating("B"), armed, RegisteredTest::lost);
    assertThat(bundle(rolling)).isEqualTo("AB");
    assertThat(bundle(written(wish("armed"), mutating("B"), rolling, RegisteredTest::good)))
        .isEqualTo("B");
  }

  @Test
  void aBundleThatIsEmptiedTakesNoTrustAway() {
    var armed = written(wish("armed"), null, RegisteredTest::good);

    assertThat(Registered.of(wish("armed"), mutating(""), armed, RegisteredTest::lost).manifest())
        .isNull();
  }

  @Test
  void itBelongsToTheMutatingConfiguration() {
    assertThat(written(wish("armed"), null, RegisteredTest::good).at("/metadata/ownerReferences"))
        .isEqualTo(
            json(
                """
                [{apiVersion: 'admissionregistration.k8s.io/v1',
                  kind: 'MutatingWebhookConfiguration', name: 'shipshape', uid: 'owner'}]
                """));
  }

  private static Optional<String> good(String bundle) {
    return Optional.empty();
  }

  private static Optional<String> lost(String bundle) {
    return Optional.of("0 replicas are ready");
  }

  private static ObjectNode written(
      Wish wish, @Nullable JsonNode standing, Function<String, Optional<String>> objection) {
    return written(wish, mutating("A"), standing, objection);
  }

  private static ObjectNode written(
      Wish wish,
      JsonNode mutating,
      @Nullable JsonNode standing,
      Function<String, Optional<String>> objection) {
    var manifest =
        Objects.requireNonNull(Registered.of(wish, mutating, standing, objection).manifest());
    manifest.withObject("/metadata").put("resourceVersion", "1");
    return manifest;
  }

  /** Entries whose name begins with "armed" are to refuse. */
  private static Wish wish(String... entries) {
    var manifest =
        object(
            """
            {apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration',
             metadata: {name: 'shipshape'}, webhooks: []}
            """);
    for (var entry : entries) {
      var armed = entry.startsWith("armed");
      manifest
          .withArray("/webhooks")
          .add(
              json(
                  """
                  {name: '%s', failurePolicy: '%s', objectSelector: {},
                   clientConfig: {service: {name: 's', namespace: 'n', path: '/%s'}}}
                  """
                      .formatted(entry, armed ? "Fail" : "Ignore", armed ? "validate" : "audit")));
    }
    return new Wish(manifest, 2);
  }

  private static JsonNode mutating(String bundle) {
    return json(
        "{metadata: {name: 'shipshape', uid: 'owner'}, webhooks: [{clientConfig: {caBundle: '%s'}}]}"
            .formatted(
                Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.UTF_8))));
  }

  private static String states(JsonNode configuration) {
    var states = new StringBuilder();
    for (var entry : configuration.path("webhooks")) {
      states
          .append(states.isEmpty() ? "" : " ")
          .append(entry.path("name").asText())
          .append('=')
          .append(entry.at("/clientConfig/service/path").asText().substring(1))
          .append(',')
          .append(entry.path("failurePolicy").asText());
    }
    return states.toString();
  }

  private static String bundle(JsonNode configuration) {
    return new String(
        Base64.getDecoder().decode(configuration.at("/webhooks/0/clientConfig/caBundle").asText()),
        StandardCharsets.UTF_8);
  }
}
