package dev.shipshape.janitor.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;

/** What a failed call says, in one line for people. */
public final class ApiErrors {
  private ApiErrors() {}

  /** How long the server asks us to wait, as far as its answer's body says. */
  public static Duration retryAfter(KubernetesClientException failure) {
    var status = failure.getStatus();
    var details = status == null ? null : status.getDetails();
    var seconds = details == null ? null : details.getRetryAfterSeconds();
    return seconds == null ? Duration.ZERO : Duration.ofSeconds(seconds);
  }

  /** The server's own words with its code, where it answered; else why it did not. */
  public static String reason(KubernetesClientException failure) {
    var status = failure.getStatus();
    if (status != null && status.getMessage() != null) {
      return failure.getCode() + ": " + status.getMessage();
    }
    var cause = failure.getCause();
    var message = failure.getMessage();
    if (cause == null) {
      return String.valueOf(message);
    }
    return message == null || message.equals(cause.getMessage())
        ? cause.toString()
        : message + ": " + cause;
  }
}
