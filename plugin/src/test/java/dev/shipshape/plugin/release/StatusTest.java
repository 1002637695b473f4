package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is wrong with how the API server is told to ask the webhook. */
class StatusTest {
  @Test
  void anArmedGuardThatIsAskedAndFailsClosedIsNoTrouble() throws Exception {
    assertThat(Status.guardTroubles(true, List.of(registered("Fail", "QQ==")))).isEmpty();
    assertThat(Status.guardTroubles(false, List.of(registered("Ignore", "QQ==")))).isEmpty();
  }

  @Test
  void aGuardThatIsNotRegisteredIsSaid() {
    assertThat(Status.guardTroubles(true, List.of()))
        .singleElement()
        .asString()
        .contains("there is no ValidatingWebhookConfiguration");
  }

  @Test
  void anAuthorityThatWasEmptiedIsSaid() throws Exception {
    assertThat(Status.guardTroubles(true, List.of(registered("Fail", ""))))
        .containsExactly(
            "ValidatingWebhookConfiguration shipshape has no caBundle: the webhook cannot be"
                + " asked");
  }

  @Test
  void anArmedGuardThatFailsOpenIsSaid() throws Exception {
    assertThat(Status.guardTroubles(true, List.of(registered("Ignore", "QQ=="))))
        .singleElement()
        .asString()
        .startsWith("ValidatingWebhookConfiguration shipshape has not failurePolicy Fail");
  }

  @Test
  void stampingThatIsNotRegisteredOrCannotBeAskedForIsSaid() throws Exception {
    assertThat(Status.stampTroubles(List.of(registered("Ignore", "QQ==")))).isEmpty();
    assertThat(Status.stampTroubles(List.of()))
        .containsExactly(
            "there is no MutatingWebhookConfiguration: nothing is stamped with its hash");
    assertThat(Status.stampTroubles(List.of(registered("Ignore", ""))))
        .containsExactly(
            "MutatingWebhookConfiguration shipshape has no caBundle for stamping: the webhook"
                + " cannot be asked");
  }

  private static JsonNode registered(String failurePolicy, String bundle) throws Exception {
    return new ObjectMapper()
        .readTree(
            """
            {"metadata": {"name": "shipshape"},
             "webhooks": [{"failurePolicy": "%s", "clientConfig": {"caBundle": "%s"}}]}
            """
                .formatted(failurePolicy, bundle));
  }
}
