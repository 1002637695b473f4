package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Reviews.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.service.SettingsReader;
import dev.shipshape.webhook.Reviews;
import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What failed in one namespace is that tenant's own matter. */
class TenantsTest {
  private static final String GUARD =
      """
      apiVersion: shipshape.dev/v1
      guards:
        - name: widgets
          resource: {group: example.com, version: v1, plural: widgets, kind: Widget, namespaced: true}
          invalidWhen: {field: status.state, equals: invalid}
          identity: {content: spec}
      """;

  @Promise(
      value =
          "A failure in one namespace refuses nothing in another, and does not reveal its name.",
      breaks = "Looking up a hash without its namespace.")
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anotherNamespacesFailureIsNeitherRefusedNorTold(boolean isGone) throws Exception {
    var decision = decide(GUARD, isGone, "b");

    assertThat(decision).isEqualTo(Decision.of(Reason.NOT_KNOWN_INVALID));
    assertThat(decide(GUARD, isGone, "a")).matches(one -> one.reason().rejects());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aGuardAcrossNamespacesRefusesItEverywhere(boolean isGone) throws Exception {
    var decision = decide(GUARD + "    acrossNamespaces: true\n", isGone, "b");

    assertThat(decision).matches(one -> one.reason().rejects());
    assertThat(decision.message()).contains("it equals a/failed");
  }

  /** A hash may be known in two namespaces. */
  @Test
  void theNamespaceInWhichItIsToBeForgottenIsTold() throws Exception {
    assertThat(decide(GUARD, true, "a").message()).contains(" --config-namespace a. ");
  }

  private static Decision decide(String settings, boolean isGone, String namespace)
      throws Exception {
    var guard = SettingsReader.parse("test", settings, GuardReader::read).getFirst();
    var failed = widget("a", "failed").replace("}}", "},\"status\":{\"state\":\"invalid\"}}");
    var guards = new TestingGuards(guard);
    var known = isGone ? guards.remembering(failed) : guards.holding(failed);
    return known.decider(Scope.CLUSTER).deny(AdmissionReview.read(bytes(creation(namespace))));
  }

  private static String creation(String namespace) {
    return Reviews.creation(widget(namespace, "new"))
        .replace("\"name\":\"worker-1\"", "\"name\":\"new\",\"namespace\":\"" + namespace + "\"")
        .replace("network.schiff.telekom.de", "example.com")
        .replace("v1alpha1", "v1")
        .replace("nodeconfigs", "widgets");
  }

  private static String widget(String namespace, String name) {
    return """
    {"apiVersion":"example.com/v1","kind":"Widget",
     "metadata":{"uid":"u","namespace":"%s","name":"%s"},"spec":{"size":1}}\
    """
        .formatted(namespace, name);
  }
}
