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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the validating configuration is to be, by what is rendered and what is seen. */
class PlannedConfigurationTest {

  @Test
  void itSaysWhatItWaitsFor() {
    var registered = plan(rendered("armed"), mutating("A"), null, PlannedConfigurationTest::lost);

    assertThat(registered.waiting()).containsExactly("armed");
    assertThat(registered.reason()).isEqualTo("0 replicas are ready");
  }

  @Test
  void aNewGuardWaitsBesideOneThatRefuses() {
    var armed = written(rendered("armed"), null, PlannedConfigurationTest::good);

    assertThat(states(written(rendered("armed", "armed2"), armed, PlannedConfigurationTest::lost)))
        .isEqualTo("armed=validate,Fail armed2=audit,Ignore");
  }

  @Test
  void nothingIsWrittenWhereOnlyTheApiServersDefaultsAreMore() {
    var armed = written(rendered("armed"), null, PlannedConfigurationTest::good);
    ((ObjectNode) armed.at("/webhooks/0")).put("timeoutSeconds", 10).remove("objectSelector");
    ((ObjectNode) armed.at("/metadata")).put("uid", "u");
    armed.remove("kind");

    assertThat(
            plan(rendered("armed"), mutating("A"), armed, PlannedConfigurationTest::good)
                .manifest())
        .isNull();
  }

  @Test
  void whileReplicasStillServeTheOldCertificateBothAreTrusted() {
    var armed = written(rendered("armed"), null, PlannedConfigurationTest::good);

    var rolling = written(rendered("armed"), mutating("B"), armed, PlannedConfigurationTest::lost);
    // Bundles of people need not end with a line end.
    assertThat(bundle(rolling)).isEqualTo("A\nB");
    assertThat(
            bundle(
                written(rendered("armed"), mutating("B"), rolling, PlannedConfigurationTest::good)))
        .isEqualTo("B");
  }

  @Test
  void aBundleThatTrustsMoreIsTakenAtOnce() {
    var armed = written(rendered("armed"), null, PlannedConfigurationTest::good);

    assertThat(
            bundle(
                written(rendered("armed"), mutating("AB"), armed, PlannedConfigurationTest::lost)))
        .isEqualTo("AB");
  }

  @Test
  void aBundleThatIsEmptiedTakesNoTrustAway() {
    var armed = written(rendered("armed"), null, PlannedConfigurationTest::good);

    assertThat(
            plan(rendered("armed"), mutating(""), armed, PlannedConfigurationTest::lost).manifest())
        .isNull();
  }

  @Test
  void expressionsThatOthersAddStay() {
    var rendered = rendered("armed");
    ((ObjectNode) rendered.manifest().at("/webhooks/0"))
        .set("namespaceSelector", json("{matchExpressions: [{key: 'a', operator: 'Exists'}]}"));
    var armed = written(rendered, null, PlannedConfigurationTest::good);
    armed
        .withArray("/webhooks/0/namespaceSelector/matchExpressions")
        .insert(0, json("{key: 'control-plane', operator: 'DoesNotExist'}"));

    assertThat(plan(rendered, mutating("A"), armed, PlannedConfigurationTest::good).manifest())
        .isNull();
    armed.withArray("/webhooks/0/namespaceSelector/matchExpressions").remove(1);
    assertThat(plan(rendered, mutating("A"), armed, PlannedConfigurationTest::good).manifest())
        .isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{objectSelector: {matchLabels: {only: 'these'}}}",
        "{namespaceSelector: {matchLabels: {only: 'these'}}}",
        "{objectSelector: {matchExpressions: [{key: 'a', operator: 'DoesNotExist'}]}}",
        "{namespaceSelector: {matchExpressions: [{key: 'a', operator: 'In', values: ['b']}]}}"
      })
  void selectorsOfOthersThatLeaveTheGuardOpenAreTakenBack(String added) {
    var rendered = rendered("armed");
    ((ObjectNode) rendered.manifest().at("/webhooks/0"))
        .setAll(object("{namespaceSelector: {}, objectSelector: {}}"));
    var armed = written(rendered, null, PlannedConfigurationTest::good);
    assertThat(plan(rendered, mutating("A"), armed, PlannedConfigurationTest::good).manifest())
        .isNull();

    ((ObjectNode) armed.at("/webhooks/0")).setAll(object(added));

    assertThat(plan(rendered, mutating("A"), armed, PlannedConfigurationTest::good).manifest())
        .isNotNull();
  }

  private static PlannedConfiguration plan(
      RenderedConfiguration rendered,
      JsonNode mutating,
      @Nullable JsonNode standing,
      Function<String, Optional<String>> objection) {
    var trusted = bundle(mutating);
    var problem = objection.apply(trusted);
    return PlannedConfiguration.of(
        rendered, mutating, standing, trusted, problem.isEmpty(), _ -> problem);
  }

  private static Optional<String> good(String bundle) {
    return Optional.empty();
  }

  private static Optional<String> lost(String bundle) {
    return Optional.of("0 replicas are ready");
  }

  private static ObjectNode written(
      RenderedConfiguration rendered,
      @Nullable JsonNode standing,
      Function<String, Optional<String>> objection) {
    return written(rendered, mutating("A"), standing, objection);
  }

  private static ObjectNode written(
      RenderedConfiguration rendered,
      JsonNode mutating,
      @Nullable JsonNode standing,
      Function<String, Optional<String>> objection) {
    var manifest = Objects.requireNonNull(plan(rendered, mutating, standing, objection).manifest());
    manifest.withObject("/metadata").put("resourceVersion", "1");
    return manifest;
  }

  /** Entries whose name begins with "armed" are to refuse. */
  private static RenderedConfiguration rendered(String... entries) {
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
    return new RenderedConfiguration(manifest, 2);
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
