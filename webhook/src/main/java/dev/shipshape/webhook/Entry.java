package dev.shipshape.webhook;

import dev.shipshape.webhook.review.Answer;
import dev.shipshape.webhook.review.AnswerWriter;
import dev.shipshape.webhook.review.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The two entries, and how each of them refuses. */
enum Entry {
  /** Its word counts: registered with failurePolicy Fail once armed. */
  VALIDATE,
  /**
   * Where the API server sends what may be let through although it is known invalid: the writer has
   * said so, and has the right to.
   */
  VALIDATE_OVERRIDE,
  /** Only adds. */
  MUTATE;

  /**
   * Refuses by a complete denial where this entry's word counts. Else by an error, which a
   * failurePolicy Ignore lets pass: only adding, and watching, stand in nobody's way.
   */
  Answer refuse(
      Mode mode, @Nullable String uid, Refusal refusal, String message, Map<String, String> audit) {
    return this == MUTATE || mode == Mode.AUDIT || uid == null
        ? AnswerWriter.error(refusal.code(), message, null)
        : AnswerWriter.complete(
            uid, new Verdict.Denied(refusal.code(), refusal.reason(), message, List.of(), audit));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  String path() {
    return "/" + label().replace('_', '-');
  }
}
