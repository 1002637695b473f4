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

  public static TextPattern of(String text) {
    return new TextPattern(text);
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
