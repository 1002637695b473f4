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
  VALIDATE {
    @Override
    Answer refuse(
        @Nullable String uid, Refusal refusal, String message, Map<String, String> audit) {
      return uid == null
          ? AnswerWriter.error(refusal.code(), message, null)
          : AnswerWriter.complete(
              uid, new Verdict.Denied(refusal.code(), refusal.reason(), message, List.of(), audit));
    }
  },
  /**
   * Where the API server sends what may be let through although it is known invalid: the writer has
   * said so, and has the right to.
   */
  VALIDATE_OVERRIDE {
    @Override
    Answer refuse(
        @Nullable String uid, Refusal refusal, String message, Map<String, String> audit) {
      return VALIDATE.refuse(uid, refusal, message, audit);
    }
  },
  /** Only adds: registered with failurePolicy Ignore, which a complete denial would defeat. */
  MUTATE {
    @Override
    Answer refuse(
        @Nullable String uid, Refusal refusal, String message, Map<String, String> audit) {
      return AnswerWriter.error(refusal.code(), message, null);
    }
  };

  /** Refuses in this entry's own terms. */
  abstract Answer refuse(
      @Nullable String uid, Refusal refusal, String message, Map<String, String> audit);

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  String path() {
    return "/" + label().replace('_', '-');
  }
}
