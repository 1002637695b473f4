package dev.shipshape.janitor.session;

import dev.shipshape.janitor.kubernetes.Answer;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a request to delete was answered. */
public sealed interface DeleteAnswer {

  /** It is gone already. */
  record Gone() implements DeleteAnswer {}

  /** It is marked, and goes once its finalizers are done. */
  record Marked() implements DeleteAnswer {}

  /** There was none of that name. */
  record NotFound() implements DeleteAnswer {}

  /** It is another one by now, or it has changed since it was seen: it was not deleted. */
  record Conflict() implements DeleteAnswer {}

  /**
   * The server wants fewer requests.
   *
   * @param retryAfter null where it did not say
   */
  record Throttled(@Nullable Duration retryAfter) implements DeleteAnswer {}

  /**
   * It could not be read directly before, so nothing was sent that deletes; or what was sent was
   * refused for its token. It is to be read again.
   *
   * @param retryAfter how long the server asks us to wait; null where it does not
   */
  record NotSent(String message, @Nullable Duration retryAfter) implements DeleteAnswer {}

  /**
   * Anything else: it was not deleted.
   *
   * @param retryAfter how long the server asks us to wait; null where it does not
   */
  record Refused(int code, String message, @Nullable Duration retryAfter) implements DeleteAnswer {}

  /** What the API server means by its answer. */
  static DeleteAnswer of(Answer answer) {
    return switch (answer.code()) {
      case 200, 202 -> accepted(answer);
      case 404 -> new NotFound();
      case 409 -> new Conflict();
      default -> denied(answer);
    };
  }

  /** One that both worlds mean alike. */
  static DeleteAnswer denied(Answer answer) {
    return answer.code() == 429
        ? new Throttled(answer.retryAfter())
        : new Refused(answer.code(), answer.message(), answer.retryAfter());
  }

  /** Where it could not be read directly before; a refusal would be the same another time. */
  static DeleteAnswer unread(ApiFailure failure) {
    var message = String.valueOf(failure.getMessage());
    var code = failure.code();
    return code >= 400 && code < 500 && code != 429
        ? new Refused(code, message, failure.retryAfter())
        : new NotSent(message, failure.retryAfter());
  }

  /** A Status says that the object is gone; the object itself, that finalizers hold it. */
  private static DeleteAnswer accepted(Answer answer) {
    return answer.body().path("kind").asText().equals("Status") ? new Gone() : new Marked();
  }
}
