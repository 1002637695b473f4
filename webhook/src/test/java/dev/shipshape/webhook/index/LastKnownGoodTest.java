package dev.shipshape.webhook.index;

import static dev.shipshape.webhook.index.IndexedObjects.hash;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.identity.ConfigHash;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastKnownGoodTest {
  private static final ConfigHash OLD = hash("old");
  private static final ConfigHash NEW = hash("new");

  private final Guard guard = guard();
  private final LastKnownGood ledger = new LastKnownGood(List.of(guard));

  @Test
  void whatWorkedIsKeptWhileAnotherIsTried() {
    see(OLD, ConfigStatus.PROVISIONED);
    see(NEW, ConfigStatus.UNDECIDED);
    assertThat(worked(OLD)).isTrue();

    see(NEW, ConfigStatus.INVALID);
    assertThat(worked(OLD)).isTrue();
    assertThat(worked(NEW)).isFalse();
  }

  @Test
  void whatWorkedAndFailedLaterIsNothingToGoBackTo() {
    see(OLD, ConfigStatus.PROVISIONED);
    see(OLD, ConfigStatus.INVALID);
    see(NEW, ConfigStatus.UNDECIDED);

    assertThat(worked(OLD)).isFalse();
  }

  private boolean worked(ConfigHash hash) {
    return ledger.workedLast(guard, "worker-1", hash);
  }

  private void see(ConfigHash hash, ConfigStatus standing) {
    var role = new Role.Current("worker-1");
    var object =
        new IndexedObject(
            "", "worker-1", role, hash, standing, true, 0, 0, false, FailureDetails.NONE);
    ledger.seen(guard, NullNode.getInstance(), object);
  }

  private static Guard guard() {
    try {
      return WebhookSettings.parse(
              "webhook.yaml",
              """
              apiVersion: shipshape.dev/v1
              guards:
              - {preset: nodeconfig, rolloutServiceAccount: 'system:serviceaccount:x:operator'}
              """)
          .guards()
          .getFirst();
    } catch (BadSettings e) {
      throw new AssertionError(e);
    }
  }
}
