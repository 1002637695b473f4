package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static dev.shipshape.webhook.Reviews.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.index.ObjectFeed;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.known.KnownInvalid;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A rollout of the bad configuration has failed on worker-2; its operator goes back on worker-1.
 */
class RollbackExemptionsTest {
  private static final String OPERATOR = "system:serviceaccount:network:operator";
  private static final String BAD = "{\"layer2\":[{\"id\":6}]}";
  private static final String GOOD = "{\"layer2\":[{\"id\":7}]}";
  private static final String BACK =
      update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", GOOD));

  private Guard guard;
  private KnownInvalid known;
  private ObjectFeed feed;
  private boolean isRollingOut = true;
  private String unavailable = "";

  RollbackExemptionsTest() throws Exception {
    var settings =
        "apiVersion: shipshape.dev/v1\n"
            + "guards: [{preset: nodeconfig, rolloutServiceAccount: '%s'}]\n";
    use(settings);
    see("worker-2", BAD, "invalid");
  }

  private void use(String settings) throws BadSettings {
    guard =
        SettingsReader.parse("test", settings.formatted(OPERATOR), GuardReader::read).getFirst();
    known = new KnownInvalid(List.of(guard), Scope.CLUSTER, Duration.ofDays(1));
    var revisions = new Revisions(List.of(guard), node -> Optional.empty(), each -> true);
    feed = new ObjectFeed(known, revisions, Clock.systemUTC());
  }

  @Test
  void whatTheNodeLastWorkedWithPassesForTheOperatorWhileItRollsOut() {
    see("worker-1", BAD, "provisioned");
    see("worker-1", GOOD, "provisioning");

    assertThat(reason(OPERATOR, BACK)).isEqualTo(Reason.ROLLBACK);
    assertThat(reason("jane", BACK)).isEqualTo(Reason.KNOWN_INVALID);
    assertThat(reason(OPERATOR, creation(nodeConfig("worker-1", BAD))))
        .isEqualTo(Reason.KNOWN_INVALID);
    isRollingOut = false;
    assertThat(reason(OPERATOR, BACK)).isEqualTo(Reason.KNOWN_INVALID);
  }

  @Test
  void whatTheNodeNeverWorkedWithDoesNot() {
    see("worker-1", GOOD, "provisioned");

    assertThat(reason(OPERATOR, BACK)).isEqualTo(Reason.KNOWN_INVALID);
  }

  @Test
  void whatIsInTheBackupPassesWhoeverOwnsItAndThoughItFailedHere() {
    see("worker-1", BAD, "invalid");
    assertThat(reason(OPERATOR, BACK)).isEqualTo(Reason.KNOWN_INVALID);
    see("worker-1-backup", GOOD, "");
    assertThat(reason(OPERATOR, BACK)).isEqualTo(Reason.KNOWN_INVALID);

    see("worker-1-backup", BAD, "");

    assertThat(reason(OPERATOR, BACK)).isEqualTo(Reason.ROLLBACK);
    assertThat(reason("jane", BACK)).isEqualTo(Reason.KNOWN_INVALID);
    feed.update(guard, json(record("worker-1", "-backup", BAD)));
    assertThat(reason("jane", BACK)).isEqualTo(Reason.RESTORES_BACKUP);
  }

  @Test
  void itsRecordsPassWhenTheyAreCreated() {
    var record =
        creation(nodeConfig("worker-1-invalid", BAD))
            .replace("\"worker-1\"", "\"worker-1-invalid\"");

    assertThat(reason(OPERATOR, record)).isEqualTo(Reason.RECORD);
    assertThat(reason("jane", record)).isEqualTo(Reason.KNOWN_INVALID);
  }

  @Test
  void withoutTheIndexTheOperatorsUpdatesPassAndOthersWait() {
    unavailable = "not listed yet";

    assertThat(reason(OPERATOR, BACK)).isEqualTo(Reason.ROLLOUT);
    assertThat(reason(OPERATOR, creation(nodeConfig("worker-1", BAD)))).isEqualTo(Reason.NOT_READY);
    assertThat(reason("jane", BACK)).isEqualTo(Reason.NOT_READY);
    feed.update(guard, json(record("worker-1", "-backup", BAD)));
    assertThat(reason("jane", BACK)).isEqualTo(Reason.RESTORES_BACKUP);
  }

  /** Without nodes and records, as guards of one's own are. */
  @Test
  void withoutRecordsOnlyWhatTheObjectLastWorkedWithPasses() throws Exception {
    var settings =
        """
        apiVersion: shipshape.dev/v1
        guards:
        - name: racks
          resource: {group: network.schiff.telekom.de, version: v1alpha1, plural: nodeconfigs, kind: NodeConfig}
          identity: {content: spec}
          invalidWhen: {field: status.configStatus, equals: invalid}
          provisionedWhen: {field: status.configStatus, equals: provisioned}
          rollout:
            serviceAccount: '%s'
            process: {group: example.com, version: v1, plural: rollouts, kind: Rollout}
            goingOnWhen: {field: status.state, equals: running}
        """;
    use(settings);
    see("worker-1", BAD, "provisioned");
    see("worker-1", GOOD, "provisioning");
    for (var failed : List.of("worker-2", "worker-3")) {
      see(failed, BAD, "invalid");
      see(failed, GOOD, "provisioning");
    }
    known.put(known.unwritten().getFirst().after());

    assertThat(reason(OPERATOR, BACK)).isEqualTo(Reason.ROLLBACK);
    assertThat(reason("jane", BACK)).isEqualTo(Reason.KNOWN_INVALID);
    for (var other : List.of("worker-2", "worker-3", "worker-4")) {
      assertThat(reason(OPERATOR, BACK.replace("worker-1", other))).isEqualTo(Reason.KNOWN_INVALID);
    }
  }

  private void see(String name, String spec, String status) {
    var said = "\"status\":{\"configStatus\":\"%s\"},\"spec\"".formatted(status);
    feed.update(guard, json(nodeConfig(name, spec).replace("\"spec\"", said)));
  }

  private Reason reason(String user, String review) {
    var handler =
        new ValidationHandler(
            Guard.byResource(List.of(guard)),
            known,
            each -> Optional.of(unavailable).filter(why -> !why.isEmpty()),
            new RollbackExemptions(known, each -> isRollingOut),
            "override",
            Set.of());
    var request = AdmissionReview.read(bytes(review.replace("\"jane\"", "\"" + user + "\"")));
    return handler.deny(request).reason();
  }
}
