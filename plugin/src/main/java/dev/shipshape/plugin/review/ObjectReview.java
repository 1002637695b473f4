package dev.shipshape.plugin.review;

import java.util.List;
import java.util.Locale;

/**
 * What the webhook would answer to the creation of one object.
 *
 * @param line where the object begins in its file
 * @param object kind, namespace and name
 * @param hash of a finding; empty for what is admitted
 * @param reason the webhook's, in one word, such as {@code known-invalid}
 * @param message the webhook's; empty if it has none
 * @param field what the reason is about, such as {@code spec}; empty for all of it
 * @param fieldLine where that is in the file
 * @param matches what it equals
 * @param normalised what differs between the two texts, and means the same
 */
public record ObjectReview(
    String file,
    int line,
    String object,
    String hash,
    Verdict verdict,
    String reason,
    String message,
    String field,
    int fieldLine,
    List<Equal> matches,
    List<Note> normalised) {
  public ObjectReview {
    matches = List.copyOf(matches);
    normalised = List.copyOf(normalised);
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

  /**
   * A place where the object, or what it equals, does not say what is compared.
   *
   * @param of the object, or what it equals
   * @param line in the object's file; 0 for a place of what it equals
   */
  public record Note(String of, int line, String field, String meaning) {
    @Override
    public String toString() {
      return "%s: %s %s".formatted(line > 0 ? "line " + line : of, field, meaning);
    }
  }

  /** Whether there is anything to tell. */
  public boolean isFinding() {
    return verdict != Verdict.ADMITTED;
  }
}
