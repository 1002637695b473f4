package dev.shipshape.plugin.release;

/**
 * The result of one check of a cluster or of a guard.
 *
 * @param text what was checked and found, and what to do if it is wrong
 */
public record CheckResult(Level level, String text) {
  /** How much it matters. */
  public enum Level {
    GOOD,
    /** Worth knowing; nothing is wrong. */
    NOTE,
    /** It would not work, or does not. */
    WRONG
  }

  static CheckResult of(boolean good, String text) {
    return new CheckResult(good ? Level.GOOD : Level.WRONG, text);
  }

  /** Whether it is as it should be. */
  public boolean good() {
    return level == Level.GOOD;
  }
}
