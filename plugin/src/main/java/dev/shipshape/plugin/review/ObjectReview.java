package dev.shipshape.plugin.review;

import java.util.List;
import java.util.Locale;

/**
 * What the webhook would answer to the creation of one object.
 *
 * @param source the template that helm template made it from; empty if it does not say so
 * @param line where the object begins in its file
 * @param object kind, namespace and name
 * @param hash of a finding; empty for what is admitted
 * @param reason the webhook's, in one word, such as {@code known-invalid}
 * @param message the webhook's; empty if it has none
 * @param field what the reason is about, such as {@code spec}; empty for all of it
 * @param fieldLine where that is in the file
 */
public record ObjectReview(
    String file,
    String source,
    int line,
    String object,
    String hash,
    Verdict verdict,
    String reason,
    String message,
    String field,
    int fieldLine,
    List<Equal> matches) {
  public ObjectReview {
    matches = List.copyOf(matches);
  }

  /** What becomes of it. */
  public enum Verdict {
    ADMITTED,
    /** Admitted with a warning. */
    WARNED,
    REFUSED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Something known invalid that it equals.
   *
   * @param since ISO 8601; empty if nobody says
   */
  public record Equal(String object, List<String> nodes, String since, String writer, String why) {}

  /** Whether there is anything to tell. */
  public boolean isFinding() {
    return verdict != Verdict.ADMITTED;
  }
}
