package dev.shipshape.webhook;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static dev.shipshape.webhook.Reviews.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Deny;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.Decision.TryLater;
import dev.shipshape.webhook.review.Reading;
import dev.shipshape.webhook.review.ReviewReader;
import org.junit.jupiter.api.Test;

class ValidationDeciderTest {
  private static final String BAD = "{\"layer2\":[{\"id\":2},{\"id\":1}]}";
  private static final String BAD_RESPELLED = "{\"vrf\":[],\"layer2\":[{\"id\":1},{\"id\":2}]}";
  private static final String GOOD = "{\"layer2\":[{\"id\":3}]}";

  private final TestingGuards guards = new TestingGuards();

  @Test
  void aKnownInvalidConfigIsRefusedHoweverItIsSpelled() {
    guards.holding(record("worker-1", "-invalid", BAD));

    var decision = decide(creation(nodeConfig("worker-1", BAD_RESPELLED)));

    assertThat(decision).isInstanceOf(Deny.class);
    assertThat(((Deny) decision).refusal()).isEqualTo(Refusal.KNOWN_INVALID);
    assertThat(((Deny) decision).message())
        .contains("worker-1-invalid", "failed on worker-1", "v1:", "delete nodeconfigs.");
  }

  @Test
  void aConfigNobodyCallsInvalidPasses() {
    guards.holding(record("worker-1", "-invalid", BAD));

    assertAllowed(creation(nodeConfig("worker-1", GOOD)), Grounds.NOT_KNOWN_INVALID);
  }

  @Test
  void aConfigKnownInvalidElsewhereIsRefusedInTheClusterScopeOnly() {
    guards.holding(record("worker-2", "-invalid", BAD));
    var review = creation(nodeConfig("worker-1", BAD));

    assertThat(decide(review)).isInstanceOf(Deny.class);
    assertThat(decide(review, Scope.NODE)).isEqualTo(new Allow(Grounds.NOT_KNOWN_INVALID));
  }

  @Test
  void aConfigKnownInvalidOnTheNodeIsRefusedInTheNodeScopeToo() {
    guards.holding(record("worker-1", "-invalid", BAD));

    assertThat(decide(creation(nodeConfig("worker-1", BAD)), Scope.NODE)).isInstanceOf(Deny.class);
  }

  @Test
  void aRecordThatIsGoneNoLongerCounts() {
    guards.holding(record("worker-1", "-invalid", BAD));
    guards.index().remove("worker-1-invalid");

    assertAllowed(creation(nodeConfig("worker-1", BAD)), Grounds.NOT_KNOWN_INVALID);
  }

  @Test
  void recordsThemselvesPass() {
    guards.holding(record("worker-1", "-invalid", BAD));

    assertAllowed(creation(record("worker-1", "-invalid", BAD)), Grounds.RECORD);
    assertAllowed(creation(record("worker-1", "-backup", BAD)), Grounds.RECORD);
  }

  @Test
  void aNameAloneMakesNoRecord() {
    guards.holding(record("worker-1", "-invalid", BAD));

    assertThat(decide(creation(nodeConfig("worker-2-invalid", BAD)))).isInstanceOf(Deny.class);
    assertThat(decide(creation(nodeConfig("worker-2-backup", BAD)))).isInstanceOf(Deny.class);
  }

  @Test
  void aNodeWhoseOwnNameEndsSoIsNoRecord() {
    guards.holding(nodeConfig("worker-invalid", BAD));

    assertAllowed(creation(nodeConfig("worker-1", BAD)), Grounds.NOT_KNOWN_INVALID);
  }

  @Test
  void aBackupIsNotKnownInvalid() {
    guards.holding(record("worker-1", "-backup", BAD));

    assertAllowed(creation(nodeConfig("worker-2", BAD)), Grounds.NOT_KNOWN_INVALID);
  }

  @Test
  void anUpdateThatLeavesTheConfigAsItIsPasses() {
    guards.holding(record("worker-1", "-invalid", BAD));

    assertAllowed(
        update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", BAD_RESPELLED)),
        Grounds.UNCHANGED);
    assertThat(decide(update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", GOOD))))
        .isInstanceOf(Deny.class);
  }

  @Test
  void goingBackToTheNodesOwnBackupPasses() {
    guards.holding(record("worker-1", "-invalid", BAD), record("worker-1", "-backup", BAD));

    assertAllowed(
        update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", GOOD)), Grounds.RESTORES_BACKUP);
  }

  @Test
  void goingBackToAnotherNodesBackupDoesNotPass() {
    guards.holding(record("worker-1", "-invalid", BAD), record("worker-2", "-backup", BAD));

    assertThat(decide(update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", GOOD))))
        .isInstanceOf(Deny.class);
  }

  @Test
  void anObjectWhoseStatusSaysInvalidCountsForOthersButNotForItself() {
    var invalid = nodeConfig("worker-1", BAD).replace("\"spec\"", STATUS + ",\"spec\"");
    guards.holding(invalid);

    assertThat(
            decide(
                creation(nodeConfig("worker-2", BAD))
                    .replace("\"name\":\"worker-1\"", "\"name\":\"worker-2\"")))
        .isInstanceOf(Deny.class);
    assertAllowed(creation(nodeConfig("worker-1", BAD)), Grounds.NOT_KNOWN_INVALID);
  }

  private static final String STATUS = "\"status\":{\"configStatus\":\"invalid\"}";

  @Test
  void beforeTheIndexIsCompleteOnlyWhatIsExemptPasses() {
    guards.notSynced();

    assertThat(decide(creation(nodeConfig("worker-1", GOOD)))).isInstanceOf(TryLater.class);
    assertThat(decide(update(nodeConfig("worker-1", GOOD), nodeConfig("worker-1", BAD))))
        .isInstanceOf(TryLater.class);
    assertAllowed(
        update(nodeConfig("worker-1", GOOD), nodeConfig("worker-1", GOOD)), Grounds.UNCHANGED);
    assertAllowed(creation(record("worker-1", "-backup", GOOD)), Grounds.RECORD);
  }

  @Test
  void theBackupThatWasKnownLastPassesWhereTheIndexIsOldOrNotComplete() {
    guards.holding(record("worker-1", "-invalid", BAD), record("worker-1", "-backup", BAD));
    guards.notSynced();

    var back = decide(update(nodeConfig("worker-1", BAD_RESPELLED), nodeConfig("worker-1", GOOD)));

    assertThat(((Allow) back).grounds()).isEqualTo(Grounds.RESTORES_BACKUP);
    assertThat(((Allow) back).audit())
        .containsEntry("decision", "restores-backup")
        .containsEntry("index-age", "312s");
    assertThat(decide(update(nodeConfig("worker-2", BAD), nodeConfig("worker-2", GOOD))))
        .as("another node's")
        .isInstanceOf(TryLater.class);
    assertThat(decide(creation(nodeConfig("worker-1", GOOD)))).isInstanceOf(TryLater.class);
  }

  @Test
  void whatWritesNoConfigurationPasses() {
    guards.holding(record("worker-1", "-invalid", BAD));
    var bad = nodeConfig("worker-1", BAD);

    assertAllowed(Reviews.review("DELETE", "null", bad), Grounds.NO_CONFIGURATION_WRITTEN);
    assertAllowed(
        creation(bad).replace("\"operation\"", "\"subResource\":\"status\",\"operation\""),
        Grounds.NO_CONFIGURATION_WRITTEN);
    assertAllowed(
        creation(
            bad.replace("\"name\":", "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",\"name\":")),
        Grounds.BEING_DELETED);
    assertAllowed(creation(bad).replace("\"nodeconfigs\"", "\"pods\""), Grounds.NOT_GUARDED);
  }

  @Test
  void anotherVersionIsRefusedRatherThanGuessed() {
    var decision =
        decide(creation(nodeConfig("worker-1", GOOD)).replace("\"v1alpha1\"", "\"v1beta1\""));

    assertThat(((Deny) decision).refusal()).isEqualTo(Refusal.OTHER_VERSION);
  }

  @Test
  void aWriteWithoutAnObjectIsRefused() {
    assertThat(((Deny) decide(creation("null"))).refusal()).isEqualTo(Refusal.BAD_REQUEST);
    assertThat(((Deny) decide(creation("[]"))).refusal()).isEqualTo(Refusal.BAD_REQUEST);
  }

  private void assertAllowed(String review, Grounds grounds) {
    var decision = decide(review);
    assertThat(decision).isInstanceOf(Allow.class);
    assertThat(((Allow) decision).grounds()).isEqualTo(grounds);
  }

  private Decision decide(String review) {
    return decide(review, Scope.CLUSTER);
  }

  private Decision decide(String review, Scope scope) {
    var request = ((Reading.Understood) ReviewReader.read(bytes(review))).request();
    return new ValidationDecider(guards.guards(), scope).decide(request);
  }
}
