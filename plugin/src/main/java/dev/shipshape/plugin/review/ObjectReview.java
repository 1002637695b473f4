package dev.shipshape.plugin.review;

import dev.shipshape.audit.Text;
import dev.shipshape.webhook.known.Evidence;
import java.util.List;
import java.util.Locale;

/**
 * What the webhook would respond to the creation of one object.
 *
 * @param source the template that helm template rendered it from; empty if unknown
 * @param line of its beginning in its file
 * @param object kind, namespace and name
 * @param hash of a finding; empty if admitted
 * @param reason the webhook's, in one word, such as {@code known-invalid}
 * @param message the webhook's; empty if it has none
 * @param field that the reason is about, such as {@code spec}; empty for the whole object
 * @param fieldLine of the field in the file
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
   * A known-invalid configuration that the object equals.
   *
   * @param nodes on which it failed, as far as is known
   * @param since when it failed, ISO 8601; empty if unknown
   * @param writer of the status that reported it; empty if unknown
   */
  public record Equal(String object, List<String> nodes, String since, String writer, String why) {
    static Equal of(Evidence evidence) {
      return new Equal(
          evidence.subject(),
          evidence.nodes(),
          evidence.since(),
          evidence.writer(),
          Text.printableLine(evidence.reason()));
    }
  }

  boolean needsAttention() {
    return verdict != Verdict.ADMITTED;
  }
}
