package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is wrong with how the API server is told to ask the webhook. */
class StatusTest {
  @Test
  void aGuardThatIsAskedAndAsItIsToBeIsNoTrouble() throws Exception {
    assertThat(Status.guardTroubles(List.of(registered("QQ==")), List.of())).isEmpty();
  }

  @Test
  void aGuardThatIsNotRegisteredIsSaidOnce() {
    assertThat(Status.guardTroubles(List.of(), List.of("guard x is not registered yet")))
        .singleElement()
        .asString()
        .contains("there is no ValidatingWebhookConfiguration");
  }

  @Test
  void anAuthorityThatWasEmptiedAndWhatIsNotAsWishedAreSaid() throws Exception {
    assertThat(Status.guardTroubles(List.of(registered("")), List.of("guard x is late")))
        .containsExactly(
            "ValidatingWebhookConfiguration shipshape has no caBundle: the webhook cannot be"
                + " asked",
            "guard x is late");
  }

  @Test
  void stampingThatIsNotRegisteredOrCannotBeAskedForIsSaid() throws Exception {
    assertThat(Status.stampTroubles(List.of(registered("QQ==")))).isEmpty();
    assertThat(Status.stampTroubles(List.of()))
        .containsExactly(
            "there is no MutatingWebhookConfiguration: nothing is stamped with its hash");
    assertThat(Status.stampTroubles(List.of(registered(""))))
        .containsExactly(
            "MutatingWebhookConfiguration shipshape has no caBundle for stamping: the webhook"
                + " cannot be asked");
  }

  private static JsonNode registered(String bundle) throws Exception {
    return new ObjectMapper()
        .readTree(
            """
            {"metadata": {"name": "shipshape"},
             "webhooks": [{"clientConfig": {"caBundle": "%s"}}]}
            """
                .formatted(bundle));
  }
}
