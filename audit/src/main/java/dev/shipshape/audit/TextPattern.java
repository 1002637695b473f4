package dev.shipshape.audit;

import java.util.regex.Pattern;

/** A pattern in which {@code *} matches any characters. */
public final class TextPattern {
  private final String text;
  private final Pattern pattern;

  private TextPattern(String text) {
    this.text = text;
    this.pattern = Pattern.compile(Pattern.quote(text).replace("*", "\\E.*\\Q"), Pattern.DOTALL);
  }

  /** Throws IllegalArgumentException for a blank text, which would match what is not known. */
  public static TextPattern of(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("a text must not be empty");
    }
    return new TextPattern(text.strip());
  }

  /** Whether the whole text matches. */
  public boolean matches(String candidate) {
    return text.equals("*")
        || (text.indexOf('*') < 0 ? text.equals(candidate) : pattern.matcher(candidate).matches());
  }

  @Override
  public String toString() {
    return text;
  }
}
