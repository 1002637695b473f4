package dev.shipshape.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.regex.Pattern;

/** Describes failed calls of the Kubernetes API in one line. */
public final class ApiErrors {
  private static final Pattern OPERATION =
      Pattern.compile(
          "Operation: \\[(.*?)] +for kind: \\[(.*?)] +with name: \\[(.*?)] +in namespace:"
              + " \\[(.*?)] +failed\\.?");

  /** Part of the reason if the call got no answer. */
  public static final String UNANSWERED = "no answer from the API server";

  /** The library's message if it does not name the operation. */
  private static final String UNKNOWN_OPERATION = "An error has occurred.";

  private ApiErrors() {}

  /** Whether no answer came: the request may have been carried out. The library's code is -1. */
  public static boolean isUnanswered(KubernetesClientException failure) {
    return failure.getCode() <= 0;
  }

  /** Returns the server's code and message; without an answer, the operation and the cause. */
  public static String reason(KubernetesClientException failure) {
    var status = failure.getStatus();
    if (status != null && status.getMessage() != null) {
      return "%d: %s%s"
          .formatted(
              failure.getCode(),
              status.getMessage(),
              failure.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED
                  ? ": the credentials are wrong, or have expired"
                  : "");
    }
    var attempted =
        OPERATION
            .matcher(Objects.requireNonNullElse(failure.getMessage(), UNKNOWN_OPERATION))
            .replaceFirst("could not $1 $2 $3 in namespace $4")
            .replace(" in namespace null", "")
            .replace(" null", "");
    var root = failure.getCause();
    if (root == null) {
      return attempted;
    }
    var isRefused = false;
    while (root.getCause() != null) {
      isRefused |= root instanceof ConnectException && root.getMessage() == null;
      root = root.getCause();
    }
    // The JDK names neither.
    var cause =
        switch (root) {
          case UnresolvedAddressException _ -> "the host name is unknown";
          case JsonProcessingException _ ->
              "what answered is not the API server, but perhaps a sign-in page or a proxy";
          // The library expects a body of each answer.
          case NullPointerException e when String.valueOf(e.getMessage()).contains("asyncBody") ->
              "a proxy refused the connection; check its user and password (HTTPS_PROXY)";
          default -> isRefused ? "the connection was refused" : root.toString();
        };
    var unanswered = UNANSWERED + ": " + cause;
    if (attempted.equals(UNKNOWN_OPERATION)
        // The library's message quotes the answer.
        || root instanceof JsonProcessingException
        || Objects.equals(failure.getMessage(), root.getMessage())) {
      return unanswered;
    }
    var namesOperation = !attempted.equals(failure.getMessage());
    return attempted + ": " + (namesOperation ? unanswered : cause);
  }
}
