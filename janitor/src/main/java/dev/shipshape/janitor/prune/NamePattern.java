package dev.shipshape.janitor.prune;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The names that may be pruned: a regular expression that must match a whole name, and that begins
 * with literal characters, so that it provably cannot match every name.
 */
public final class NamePattern {
  /** What the batcher calls its sessions. */
  public static final NamePattern BATCHER =
      new NamePattern("batcher-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private static final int LEAST_LITERAL = 3;
  private static final String META = "\\[](){}.*+?^$|";

  private final Pattern pattern;
  private final String prefix;

  /**
   * @param text the expression; a leading {@code ^} and a trailing {@code $} are understood and
   *     change nothing
   * @throws IllegalArgumentException where it is no expression, or could match every name
   */
  public NamePattern(String text) {
    var body = text.startsWith("^") ? text.substring(1) : text;
    body =
        body.endsWith("$") && !body.endsWith("\\$") ? body.substring(0, body.length() - 1) : body;
    try {
      pattern = Pattern.compile(body);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "not a regular expression: %s: %s".formatted(text, e.getDescription()), e);
    }
    this.prefix = body.substring(0, Math.max(0, literalPrefix(body)));
    if (prefix.length() < LEAST_LITERAL) {
      throw new IllegalArgumentException(
          "must begin with %d literal characters or more, such as batcher-, so that it cannot match every name: \"%s\""
              .formatted(LEAST_LITERAL, text));
    }
    if (hasAlternativeToPrefix(body)) {
      throw new IllegalArgumentException(
          "may not contain | outside of parentheses, as it would not have to begin with %s: \"%s\""
              .formatted(prefix, text));
    }
  }

  /**
   * Whether the whole name matches. That it must begin with the prefix holds by itself, whatever
   * the rest of the expression may mean.
   */
  public boolean matches(String name) {
    return name.startsWith(prefix) && pattern.matcher(name).matches();
  }

  @Override
  public String toString() {
    return pattern.pattern();
  }

  private static int literalPrefix(String body) {
    var end = 0;
    while (end < body.length() && META.indexOf(body.charAt(end)) < 0) {
      end++;
    }
    var quantified = end < body.length() && "*?{".indexOf(body.charAt(end)) >= 0;
    return quantified ? end - 1 : end;
  }

  /** A mistake to be told of; no name without the prefix matches, whatever is overlooked here. */
  private static boolean hasAlternativeToPrefix(String body) {
    var rest = "";
    for (var next = body; !next.equals(rest); ) {
      rest = next;
      next = rest.replaceAll("\\\\.|\\[[^]]*]|\\([^()]*\\)", "");
    }
    return rest.contains("|");
  }
}
