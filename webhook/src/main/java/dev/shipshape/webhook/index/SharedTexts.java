package dev.shipshape.webhook.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Texts that many entries have in common, such as the name of a field manager: each is kept once
 * and has a number. The first ones to come are taken, as many as there is room for, so that texts
 * which are all different cost no more here than elsewhere.
 */
final class SharedTexts {
  /** Has no number: to be written out. */
  static final int UNSHARED = 0;

  private static final int MOST = 255;

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> texts = new ArrayList<>();

  /** The text's number, from 1; {@link #UNSHARED} where there is no room for another. */
  int numberOf(String text) {
    var number = numbers.get(text);
    if (number != null) {
      return number;
    }
    if (texts.size() == MOST) {
      return UNSHARED;
    }
    texts.add(text);
    numbers.put(text, texts.size());
    return texts.size();
  }

  String text(int number) {
    return texts.get(number - 1);
  }
}
