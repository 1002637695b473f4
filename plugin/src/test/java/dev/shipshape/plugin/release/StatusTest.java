package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is wrong with how the API server is told to ask the webhook. */
class StatusTest {
  @Test
  void aGuardThatIsAskedAndAsItIsToBeIsNoTrouble() throws Exception {
    assertThat(Status.validatingProblems(List.of(registered("QQ==")), List.of())).isEmpty();
  }

  @Test
  void aGuardThatIsNotRegisteredIsSaidOnce() {
    assertThat(Status.validatingProblems(List.of(), List.of("guard x is not registered yet")))
        .singleElement()
        .asString()
        .contains("there is no ValidatingWebhookConfiguration");
  }

  @Test
  void anAuthorityThatWasEmptiedAndWhatIsNotAsWishedAreSaid() throws Exception {
    assertThat(Status.validatingProblems(List.of(registered("")), List.of("guard x is late")))
        .containsExactly(
            "ValidatingWebhookConfiguration shipshape has no caBundle: the API server cannot call"
                + " the webhook",
            "guard x is late");
  }

  @Test
  void stampingThatIsNotRegisteredOrCannotBeAskedForIsSaid() throws Exception {
    assertThat(Status.mutatingProblems(List.of(registered("QQ==")))).isEmpty();
    assertThat(Status.mutatingProblems(List.of()))
        .containsExactly(
            "there is no MutatingWebhookConfiguration: no object gets hash annotations");
    assertThat(Status.mutatingProblems(List.of(registered(""))))
        .containsExactly(
            "MutatingWebhookConfiguration shipshape has no caBundle: the API server cannot"
                + " call the webhook");
  }

  private static WebhookConfiguration registered(String bundle) throws Exception {
    return WebhookConfiguration.of(
        new ObjectMapper()
            .readTree(
                """
                {"metadata": {"name": "shipshape"},
                 "webhooks": [{"clientConfig": {"caBundle": "%s"}}]}
                """
                    .formatted(bundle)));
  }
}
