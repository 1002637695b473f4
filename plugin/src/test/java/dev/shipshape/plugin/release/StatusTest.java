package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is wrong with how the API server is told to ask the webhook. */
class StatusTest {
  @Test
  void aWebhookThatIsRegisteredWithAnAuthorityIsNoProblem() throws Exception {
    assertThat(Status.problems(List.of(registered("QQ==")), "none")).isEmpty();
  }

  @Test
  void aWebhookThatIsNotRegisteredOrHasNoAuthorityIsAProblem() throws Exception {
    assertThat(Status.problems(List.of(), "none")).containsExactly("none");
    assertThat(Status.problems(List.of(registered("")), "none"))
        .containsExactly(
            "MutatingWebhookConfiguration shipshape has no caBundle: the API server cannot call"
                + " the webhook");
  }

  private static WebhookConfiguration registered(String bundle) throws Exception {
    return WebhookConfiguration.of(
        new ObjectMapper()
            .readTree(
                """
                {"kind": "MutatingWebhookConfiguration", "metadata": {"name": "shipshape"},
                 "webhooks": [{"clientConfig": {"caBundle": "%s"}}]}
                """
                    .formatted(bundle)));
  }
}
