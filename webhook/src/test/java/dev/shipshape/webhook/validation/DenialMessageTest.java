package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.creationOfRevision;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import org.junit.jupiter.api.Test;

/** When and where it failed, as whoever is refused reads it. */
class DenialMessageTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";
  private static final String REVISION =
      """
      {"metadata":{"name":"9b2fe2f21c","creationTimestamp":"2026-11-21T09:00:00Z","managedFields":[
        {"manager":"operator","subresource":"status","time":"2026-11-21T10:00:00Z",
         "fieldsV1":{"f:status":{}}}]},
       "spec":{"revision":"9b2fe2f21c","layer2":[{"id":1}]},"status":{"isInvalid":true}}
      """;

  @Test
  void aStatusSaysSinceItWasWrittenAndNotSinceTheObjectWasCreated() {
    var guards =
        new TestingGuards()
            .holding(
                written(nodeConfig("worker-1", SPEC), "status")
                    .replace("\"spec\"", "\"status\":{\"configStatus\":\"invalid\"},\"spec\""));

    assertThat(message(guards, nodeConfigs("worker-2")))
        .contains("since 2026-11-21T10:00:00Z")
        .doesNotContain("09:00:00");
  }

  @Test
  void aRecordSaysSinceItsContentWasWritten() {
    var guards = new TestingGuards().holding(written(record("worker-1", "-invalid", SPEC), "spec"));

    assertThat(message(guards, nodeConfigs("worker-2")))
        .contains("since 2026-11-21T10:00:00Z")
        .doesNotContain("09:00:00");
  }

  @Test
  void whereNothingIsToldItIsSinceTheCreation() {
    var untold = written(record("worker-1", "-invalid", SPEC), "metadata");

    assertThat(message(new TestingGuards().holding(untold), nodeConfigs("worker-2")))
        .contains("since 2026-11-21T09:00:00Z");
  }

  /** Else the next write is refused again after the record is deleted. */
  @Test
  void whatIsRememberedTooIsToBeForgotten() {
    var failed = written(record("worker-1", "-invalid", SPEC), "spec");
    var guards = new TestingGuards().remembering(failed).holding(failed);

    assertThat(message(guards, nodeConfigs("worker-2")))
        .contains("equals worker-1-invalid", "helm shipshape forget");
  }

  @Test
  void aRevisionIsNoNode() {
    assertThat(message(revisions().remembering(REVISION), revision()))
        .contains("9b2fe2f21c (remembered), invalid since 2026-11-21T10:00:00Z (operator: ");
  }

  @Test
  void isReadAtAGlanceHoweverLongTheReasonIs() {
    var told =
        REVISION
            .replace("true", "true,\"failedNode\":\"worker\\n\\u001b3\"")
            .replace("\"operator\"", "\"op\\n\\u001b%s\"".formatted("erator".repeat(60)));

    assertThat(message(revisions().remembering(told), revision()))
        .hasSizeLessThanOrEqualTo(400)
        .startsWith(
            "this configuration is known invalid: it equals 9b2fe2f21c (remembered), invalid since"
                + " 2026-11-21T10:00:00Z on worker 3 (op eratorera")
        .contains("...). Correct it, or repair the cause and run: helm shipshape forget")
        .containsPattern(
            "Override: annotate it with shipshape.dev/allow-known-invalid=v1:[0-9a-f]{64}$");
  }

  private static TestingGuards revisions() {
    return new TestingGuards(GuardReader.preset("t-caas").getFirst());
  }

  private static String nodeConfigs(String name) {
    return creation(nodeConfig(name, SPEC)).replace("\"worker-1\"", "\"" + name + "\"");
  }

  private static String revision() {
    var other = "0c4e2a11ff";
    return creationOfRevision(other, REVISION.replace("9b2fe2f21c", other));
  }

  /** Created at 9, and these fields written at 10. */
  private static String written(String object, String fields) {
    return object.replaceFirst(
        "\"metadata\":\\{",
        """
        "metadata":{"creationTimestamp":"2026-11-21T09:00:00Z","managedFields":[
          {"manager":"operator","subresource":"%1$s","time":"2026-11-21T10:00:00Z",
           "fieldsV1":{"f:%1$s":{}}}],\
        """
            .formatted(fields)
            .replace("\"subresource\":\"spec\",", ""));
  }

  private static String message(TestingGuards guards, String review) {
    var request = AdmissionReview.read(bytes(review));
    return (guards.decider(Scope.CLUSTER).deny(request)).message();
  }
}
