package dev.shipshape.plugin.release;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Quotes commands that users can paste into a shell. */
public final class ShellWords {
  /** Characters that no shell interprets. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellWords() {}

  public static String join(List<String> words) {
    return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
  }

  static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
