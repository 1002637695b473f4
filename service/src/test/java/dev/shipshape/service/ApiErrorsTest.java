package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParseException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiErrorsTest {
  @Test
  void anAnswerOfAnotherServerIsSaidToBeOne() {
    var page = new JsonParseException("Unexpected character ('<')");

    for (var message :
        List.of("An error has occurred.", "Error executing: GET at: https://a. Cause: <html>")) {
      assertThat(ApiErrors.reason(new KubernetesClientException(message, page)))
          .isEqualTo(
              "no answer from the API server: what answered is not the API server, but perhaps a"
                  + " sign-in page or a proxy");
    }
  }

  @Test
  void onlyAnUnansweredCallOfTheApiServerBlamesTheApiServer() {
    var refused = new ConnectException("refused");

    assertThat(ApiErrors.reason(new KubernetesClientException("An error has occurred.", refused)))
        .startsWith(ApiErrors.UNANSWERED);
    assertThat(ApiErrors.reason(new KubernetesClientException((String) null, refused)))
        .startsWith(ApiErrors.UNANSWERED);
    var withoutBody = new NullPointerException("\"asyncBody\" is null");
    assertThat(
            ApiErrors.reason(new KubernetesClientException(withoutBody.getMessage(), withoutBody)))
        .startsWith(ApiErrors.UNANSWERED + ": a proxy refused the connection");
    assertThat(
            ApiErrors.reason(
                new KubernetesClientException("GET http://cfs/v3/sessions got no answer", refused)))
        .isEqualTo("GET http://cfs/v3/sessions got no answer: java.net.ConnectException: refused");
  }
}
