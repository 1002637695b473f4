package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.creationOfRevision;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static dev.shipshape.webhook.Reviews.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.service.SettingsReader;
import dev.shipshape.webhook.Reviews;
import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ValidationHandlerTest {
  private static final String BAD = "{\"layer2\":[{\"id\":2},{\"id\":1}]}";
  private static final String BAD_RESPELLED = "{\"vrf\":[],\"layer2\":[{\"id\":1},{\"id\":2}]}";
  private static final String GOOD = "{\"layer2\":[{\"id\":3}]}";

  private final TestingGuards guards = new TestingGuards();

  @Test
  void aConfigNobodyCallsInvalidPasses() {
    guards.holding(record("worker-1", "-invalid", BAD));

    assertAllowed(creation(nodeConfig("worker-1", GOOD)), Reason.NOT_KNOWN_INVALID);
  }

  @Test
  void aConfigKnownInvalidElsewhereIsRefusedInTheClusterScopeOnly() {
    guards.holding(record("worker-2", "-invalid", BAD));
    var review = creation(nodeConfig("worker-1", BAD));

    assertRefused(review);
    assertThat(decide(review, Scope.NODE)).isEqualTo(Decision.of(Reason.NOT_KNOWN_INVALID));
  }

  @Test
  void aConfigKnownInvalidOnTheNodeIsRefusedInTheNodeScopeToo() {
    guards.holding(record("worker-1", "-invalid", BAD));

    assertThat(decide(creation(nodeConfig("worker-1", BAD)), Scope.NODE))
        .matches(one -> one.reason().rejects());
  }

  @Test
  void recordsThemselvesPass() {
    guards.holding(record("worker-1", "-invalid", BAD));

    assertAllowed(creation(record("worker-1", "-invalid", BAD)), Reason.RECORD);
    assertAllowed(creation(record("worker-1", "-backup", BAD)), Reason.RECORD);
  }

  @Test
  void aNameAloneMakesNoRecord() {
    guards.holding(record("worker-1", "-invalid", BAD));

    assertRefused(creation(nodeConfig("worker-2-invalid", BAD)));
    assertRefused(creation(nodeConfig("worker-2-backup", BAD)));
  }

  @Test
  void aNodeWhoseOwnNameEndsSoIsNoRecord() {
    guards.holding(nodeConfig("worker-invalid", BAD));

    assertAllowed(creation(nodeConfig("worker-1", BAD)), Reason.NOT_KNOWN_INVALID);
  }

  @Test
  void whereANameAloneMakesARecordANodesOwnIsNone() throws Exception {
    var settings =
        "apiVersion: shipshape.dev/v1\nguards: [{preset: nodeconfig, ownerlessRecords: true}]";
    var guard = SettingsReader.parse("test", settings, GuardReader::read).getFirst();
    var handler =
        new TestingGuards(guard).holding(nodeConfig("a-invalid", BAD)).decider(Scope.CLUSTER);
    var own = record("db-backup", "", BAD);

    assertThat(handler.deny(AdmissionReview.read(bytes(creation(own)))).reason())
        .isEqualTo(Reason.KNOWN_INVALID);
    assertThat(
            handler
                .deny(AdmissionReview.read(bytes(creation(record("db", "-backup", BAD)))))
                .reason())
        .isEqualTo(Reason.RECORD);
  }

  @Test
  void aBackupIsNotKnownInvalid() {
    guards.holding(record("worker-1", "-backup", BAD));

    assertAllowed(creation(nodeConfig("worker-2", BAD)), Reason.NOT_KNOWN_INVALID);
  }

  @Test
  void anUpdateThatLeavesTheConfigAsItIsPasses() {
    guards.holding(record("worker-1", "-invalid", BAD));

    assertAllowed(
        update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", BAD_RESPELLED)),
        Reason.UNCHANGED);
    assertRefused(update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", GOOD)));
  }

  @Test
  void goingBackToAnotherNodesBackupDoesNotPass() {
    guards.holding(record("worker-1", "-invalid", BAD), record("worker-2", "-backup", BAD));

    assertRefused(update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", GOOD)));
  }

  @Test
  void anObjectWhoseStatusSaysInvalidCountsForOthersAndIsRememberedForItself() {
    var invalid = nodeConfig("worker-1", BAD).replace("\"spec\"", STATUS + ",\"spec\"");
    guards.holding(invalid);

    var other =
        creation(nodeConfig("worker-2", BAD))
            .replace("\"name\":\"worker-1\"", "\"name\":\"worker-2\"");
    assertThat(decide(other).message())
        .contains("it equals worker-1 (status.configStatus is invalid). ");
    assertThat(decide(creation(nodeConfig("worker-1", BAD))).message())
        .contains("worker-1 (remembered)");
  }

  private static final String STATUS = "\"status\":{\"configStatus\":\"invalid\"}";

  @Test
  void whatIsRememberedIsRefusedInTheNodeScopeOnItsNodeAlone() {
    guards.remembering(nodeConfig("worker-1", BAD).replace("\"spec\"", STATUS + ",\"spec\""));

    var own = creation(nodeConfig("worker-1", BAD));
    var other = creation(nodeConfig("worker-2", BAD));
    assertThat(decide(own, Scope.NODE).message())
        .contains("worker-1 (remembered)", " on worker-1", "helm shipshape forget v1:");
    assertThat(decide(own, Scope.NODE).audit()).containsEntry("equals", "worker-1 (remembered)");
    assertThat(decide(other, Scope.NODE)).isEqualTo(Decision.of(Reason.NOT_KNOWN_INVALID));
    assertRefused(other);
  }

  /** Their names differ while their contents agree. */
  @ParameterizedTest
  @EnumSource(Scope.class)
  void aRevisionKnownInvalidIsRefusedUnderAnyName(Scope scope) {
    var invalid =
        """
        {"apiVersion":"network.t-caas.telekom.com/v1alpha1","kind":"NetworkConfigRevision",
         "metadata":{"name":"9b2fe2f21c","managedFields":[
          {"manager":"operator","subresource":"status","time":"2026-11-21T10:00:00Z",
           "fieldsV1":{"f:status":{}}}]},
         "spec":{"revision":"9b2fe2f21c","layer2":[{"id":100}]},"status":{"isInvalid":true}}
        """;
    var other = creationOfRevision("0c4e2a11ff", invalid.replace("9b2fe2f21c", "0c4e2a11ff"));
    var preset = GuardReader.preset("t-caas").getFirst();

    for (var known :
        List.of(
            new TestingGuards(preset).holding(invalid),
            new TestingGuards(preset).remembering(invalid))) {
      assertThat(known.decider(scope).deny(AdmissionReview.read(bytes(other))))
          .matches(one -> one.reason().rejects());
    }
  }

  @Test
  void whatWritesNoConfigurationPasses() {
    guards.holding(record("worker-1", "-invalid", BAD));
    var bad = nodeConfig("worker-1", BAD);

    assertAllowed(Reviews.review("DELETE", "null", bad), Reason.NO_CONFIGURATION_WRITTEN);
    assertAllowed(
        creation(bad).replace("\"operation\"", "\"subResource\":\"status\",\"operation\""),
        Reason.NO_CONFIGURATION_WRITTEN);
  }

  /** An armed guard may be registered while this replica still has the settings without it. */
  @Test
  void whatThisReplicaHasNoGuardForIsPostponed() {
    var review = creation(nodeConfig("worker-1", GOOD)).replace("\"nodeconfigs\"", "\"pods\"");
    var request = AdmissionReview.read(bytes(review));

    assertThat(guards.decider(Scope.CLUSTER).deny(request).reason()).isEqualTo(Reason.NOT_READY);
    // It gets all writes of users who may override.
    assertThat(guards.decider(Scope.CLUSTER).override(request).reason())
        .isEqualTo(Reason.NOT_READY);
    assertThat(guards.decider(Scope.CLUSTER).warn(request).reason()).isEqualTo(Reason.NOT_GUARDED);
  }

  /** Else a slip in identity.content would make all objects equal to the first invalid one. */
  @Test
  void withoutItsContentAnObjectEqualsNone() {
    guards.holding(record("worker-2", "-invalid", "null"));

    assertAllowed(creation(nodeConfig("worker-1", "null")), Reason.NO_CONFIGURATION_WRITTEN);
  }

  /** Until its last finalizer is gone it is rolled out like any other. */
  @Test
  void whatIsBeingDeletedMayNotBecomeInvalidStill() {
    guards.holding(record("worker-1", "-invalid", BAD));
    var good = beingDeleted(nodeConfig("worker-1", GOOD));
    var bad = beingDeleted(nodeConfig("worker-1", BAD));

    assertRefused(update(bad, good));
    assertAllowed(update(bad, bad.replace("2026-01-01", "2026-01-02")), Reason.UNCHANGED);
  }

  private static String beingDeleted(String object) {
    return object.replace("\"name\":", "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",\"name\":");
  }

  @Test
  void anotherVersionIsPostponedAsTheReplicaMayHaveTheSettingsOfBefore() {
    var decision =
        decide(creation(nodeConfig("worker-1", GOOD)).replace("\"v1alpha1\"", "\"v1beta1\""));

    assertThat(decision.reason()).isEqualTo(Reason.NOT_READY);
    assertThat(decision.message()).contains("guarded in version v1alpha1, not v1beta1");
  }

  @Test
  void aWriteWithoutAnObjectIsRefused() {
    assertThat(decide(creation("null")).reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(decide(creation("[]")).reason()).isEqualTo(Reason.BAD_REQUEST);
  }

  private void assertAllowed(String review, Reason grounds) {
    var decision = decide(review);
    assertThat(decision).matches(one -> !one.reason().rejects());
    assertThat(decision.reason()).isEqualTo(grounds);
  }

  private void assertRefused(String review) {
    assertThat(decide(review)).matches(one -> one.reason().rejects());
  }

  private Decision decide(String review) {
    return decide(review, Scope.CLUSTER);
  }

  private Decision decide(String review, Scope scope) {
    return guards.decider(scope).deny(AdmissionReview.read(bytes(review)));
  }
}
