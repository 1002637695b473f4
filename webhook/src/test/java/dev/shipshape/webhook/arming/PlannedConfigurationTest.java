package dev.shipshape.webhook.arming;

import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.certificate.WebhookConfigurations;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the validating configuration is to be, by what is rendered and what is seen. */
class PlannedConfigurationTest {
  private static final Optional<String> GOOD = Optional.empty();
  private static final Optional<String> LOST = Optional.of("0 replicas are ready");

  @Test
  void itSaysWhatItWaitsFor() {
    var registered = plan(rendered("armed"), mutating("A"), null, LOST);

    assertThat(registered.waiting()).containsExactly("armed");
    assertThat(registered.reason()).isEqualTo("0 replicas are ready");
  }

  @Test
  void itSaysEachReasonOnce() {
    var planned =
        PlannedConfiguration.of(
            rendered("armed1", "armed2", "armed3"),
            mutating("A"),
            null,
            "A",
            true,
            entry -> entry.at("/name").asText().equals("armed1") ? Optional.of("no guard") : LOST);

    assertThat(planned.reason()).isEqualTo("no guard; 0 replicas are ready");
  }

  @Test
  void aNewGuardWaitsBesideOneThatRefuses() {
    var armed = written(rendered("armed"), null, GOOD);

    assertThat(states(written(rendered("armed", "armed2"), armed, LOST)))
        .isEqualTo("armed=validate,Fail armed2=audit,Ignore");
  }

  @Test
  void anArmedEntryGetsNewRulesOnceAReplicaAnswersForThem() {
    var armed = written(rendered("armed"), null, GOOD);
    var changed = rendered("armed");
    var rules = json("[{resources: ['others']}]");
    ((ObjectNode) changed.manifest().at("/webhooks/0")).set("rules", rules);
    ((ObjectNode) armed.at("/webhooks/0")).set("rules", json("[{resources: ['things']}]"));

    assertThat(plan(changed, mutating("A"), armed, LOST).manifest()).isNull();
    assertThat(plan(changed, mutating("A"), armed, LOST).waiting()).hasSize(1);
    var written = written(changed, armed, GOOD);
    assertThat(written.at("/webhooks/0/rules")).isEqualTo(rules);
    assertThat(states(written)).isEqualTo("armed=validate,Fail");
  }

  @Test
  void nothingIsWrittenWhereOnlyTheApiServersDefaultsAreMore() {
    var armed = written(rendered("armed"), null, GOOD);
    ((ObjectNode) armed.at("/webhooks/0")).put("timeoutSeconds", 10).remove("objectSelector");
    ((ObjectNode) armed.at("/metadata")).put("uid", "u");
    armed.remove("kind");

    assertThat(plan(rendered("armed"), mutating("A"), armed, GOOD).manifest()).isNull();
  }

  @Test
  void whileReplicasStillServeTheOldCertificateBothAreTrusted() {
    var armed = written(rendered("armed"), null, GOOD);

    var rolling = written(rendered("armed"), mutating("B"), armed, LOST);
    // Bundles of people need not end with a line end.
    assertThat(bundle(rolling)).isEqualTo("A\nB");
    assertThat(bundle(written(rendered("armed"), mutating("B"), rolling, GOOD))).isEqualTo("B");
  }

  @Test
  void aBundleThatTrustsMoreIsTakenAtOnce() {
    var armed = written(rendered("armed"), null, GOOD);

    assertThat(bundle(written(rendered("armed"), mutating("AB"), armed, LOST))).isEqualTo("AB");
  }

  @Test
  void aBundleThatIsEmptiedTakesNoTrustAway() {
    var armed = written(rendered("armed"), null, GOOD);

    assertThat(plan(rendered("armed"), mutating(""), armed, LOST).manifest()).isNull();
  }

  @Test
  void expressionsThatOthersAddStay() {
    var rendered = rendered("armed");
    ((ObjectNode) rendered.manifest().at("/webhooks/0"))
        .set("namespaceSelector", json("{matchExpressions: [{key: 'a', operator: 'Exists'}]}"));
    var armed = written(rendered, null, GOOD);
    armed
        .withArray("/webhooks/0/namespaceSelector/matchExpressions")
        .insert(0, json("{key: 'control-plane', operator: 'DoesNotExist'}"));

    assertThat(plan(rendered, mutating("A"), armed, GOOD).manifest()).isNull();
    armed.withArray("/webhooks/0/namespaceSelector/matchExpressions").remove(1);
    assertThat(plan(rendered, mutating("A"), armed, GOOD).manifest()).isNotNull();
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
    var armed = written(rendered, null, GOOD);
    assertThat(plan(rendered, mutating("A"), armed, GOOD).manifest()).isNull();

    ((ObjectNode) armed.at("/webhooks/0")).setAll(object(added));

    assertThat(plan(rendered, mutating("A"), armed, GOOD).manifest()).isNotNull();
  }

  private static PlannedConfiguration plan(
      RenderedConfiguration rendered,
      JsonNode mutating,
      @Nullable JsonNode standing,
      Optional<String> problem) {
    return PlannedConfiguration.of(
        rendered, mutating, standing, bundle(mutating), problem.isEmpty(), _ -> problem);
  }

  private static ObjectNode written(
      RenderedConfiguration rendered, @Nullable JsonNode standing, Optional<String> problem) {
    return written(rendered, mutating("A"), standing, problem);
  }

  private static ObjectNode written(
      RenderedConfiguration rendered,
      JsonNode mutating,
      @Nullable JsonNode standing,
      Optional<String> problem) {
    var manifest = Objects.requireNonNull(plan(rendered, mutating, standing, problem).manifest());
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
    return WebhookConfigurations.bundle(configuration.at("/webhooks/0"));
  }
}
