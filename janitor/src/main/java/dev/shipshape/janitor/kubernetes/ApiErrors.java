package dev.shipshape.janitor.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.util.regex.Pattern;

/** What a failed call says, in one line for people. */
public final class ApiErrors {
  private static final Pattern OPERATION =
      Pattern.compile(
          "Operation: \\[(.*?)] +for kind: \\[(.*?)] +with name: \\[(.*?)] +in namespace:"
              + " \\[(.*?)] +failed\\.?");

  /** What the reason of a call without an answer says. */
  public static final String UNANSWERED = "no answer from the API server";

  /** The library's words where it does not say what it did. */
  private static final String NOTHING = "An error has occurred.";

  private ApiErrors() {}

  /**
   * The server's own words with its code, where it answered; else what was attempted, and why not.
   */
  public static String reason(KubernetesClientException failure) {
    var status = failure.getStatus();
    if (status != null && status.getMessage() != null) {
      return failure.getCode() + ": " + status.getMessage();
    }
    var attempted =
        OPERATION
            .matcher(String.valueOf(failure.getMessage()))
            .replaceFirst("could not $1 $2 $3 in namespace $4")
            .replace(" in namespace null", "")
            .replace(" null", "");
    var root = failure.getCause();
    if (root == null) {
      return attempted;
    }
    // What lies below a ConnectException says no more.
    while (root.getCause() != null && !(root instanceof ConnectException)) {
      root = root.getCause();
    }
    var unanswered = UNANSWERED + ": " + root;
    if (attempted.equals(NOTHING) || attempted.equals(root.getMessage())) {
      return unanswered;
    }
    var isTheLibrarys = !attempted.equals(failure.getMessage());
    return attempted + ": " + (isTheLibrarys ? unanswered : root);
  }
}
