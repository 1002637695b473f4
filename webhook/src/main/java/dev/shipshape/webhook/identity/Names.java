package dev.shipshape.webhook.identity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The names of members that one walk has met. The same few come again and again, and mostly in the
 * same order, so that the next one is guessed first. Where two want the same place the later one
 * has it: no choice of names makes it slow or large.
 */
final class Names {
  private static final int PLACES = 512;
  private static final int SHIFT = 23;

  private final @Nullable Name[] known = new @Nullable Name[PLACES];
  private Name last = new Name("");

  /** One name, and what was found out about it when it was met last. */
  static final class Name {
    private final String text;
    private final byte[] written;
    private @Nullable Name follower;
    private RuleTree place = RuleTree.EMPTY;
    private RuleTree rules = RuleTree.EMPTY;

    /** A name that need not be ASCII. */
    Name(String text) {
      this.text = text;
      var out = new Utf8Buffer(text.length());
      CanonicalText.write(out, text);
      this.written = out.bytes();
    }

    String text() {
      return text;
    }

    /** In canonical form, with quotes. */
    byte[] written() {
      return written;
    }

    /** The rules for the member of this name at that place. */
    RuleTree rules(RuleTree of) {
      if (place != of) {
        place = of;
        rules = of.member(text);
      }
      return rules;
    }
  }

  /** The one that came after the last one before; null where none is known. */
  @Nullable Name likely() {
    return last.follower;
  }

  /** The likely one came indeed. */
  void follow(Name name) {
    last = name;
  }

  /**
   * The name that came instead.
   *
   * @param from where it begins, behind its opening quote: ASCII without escapes
   */
  Name find(byte[] json, int from, int to) {
    var place = place(json, from, to);
    var name = known[place];
    if (name == null || !isWritten(name, json, from, to)) {
      name = new Name(new String(json, from, to - from, ISO_8859_1));
      known[place] = name;
    }
    last.follower = name;
    last = name;
    return name;
  }

  private static boolean isWritten(Name name, byte[] json, int from, int to) {
    return Arrays.equals(name.written, 1, name.written.length - 1, json, from, to);
  }

  private static int place(byte[] json, int from, int to) {
    var mixed = to - from;
    for (var at = from; at < to; at++) {
      mixed = 31 * mixed + json[at];
    }
    return (mixed * 0x9E3779B9) >>> SHIFT;
  }
}
