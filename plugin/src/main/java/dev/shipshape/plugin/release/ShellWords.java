package dev.shipshape.plugin.release;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Commands that people may paste into a shell. */
public final class ShellWords {
  /** What no shell reads otherwise. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellWords() {}

  /** The words as one command line. */
  public static String join(List<String> words) {
    return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
  }

  static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
