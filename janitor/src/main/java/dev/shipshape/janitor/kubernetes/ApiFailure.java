package dev.shipshape.janitor.kubernetes;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call that got no answer, or not the one that was needed. The message names the call. */
public final class ApiFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;

  @SuppressWarnings("serial") // Duration is Serializable; @Nullable hides it from the check.
  private final @Nullable Duration retryAfter;

  /** No answer came. */
  ApiFailure(String message, Throwable cause) {
    super(message, cause);
    this.code = 0;
    this.retryAfter = null;
  }

  /** An answer came, but not the one that was needed. */
  ApiFailure(String call, Answer answer) {
    super("%s was answered %d: %s".formatted(call, answer.code(), answer.message()));
    this.code = answer.code();
    this.retryAfter = answer.retryAfter();
  }

  /** As {@link KubernetesApi} throws it, for a service beside the API server. */
  public static ApiFailure unanswered(String message, Throwable cause) {
    return new ApiFailure(message, cause);
  }

  /** Answers came, and they tell that the work cannot be done. */
  public static ApiFailure unsuitable(String message) {
    return new ApiFailure(message, new IllegalStateException(message));
  }

  /** The answer's HTTP status; 0 where no answer came. */
  public int code() {
    return code;
  }

  /** How long the server asks us to wait; null where it does not. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
