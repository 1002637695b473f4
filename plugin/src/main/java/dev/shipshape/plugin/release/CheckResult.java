package dev.shipshape.plugin.release;

/**
 * The result of one check of a cluster or of a guard.
 *
 * @param text what was checked and found, and what to do if it is wrong
 */
public record CheckResult(Level level, String text) {
  public enum Level {
    GOOD,
    /** It could not be tested. */
    NOTE,
    /** It does not work, or would not. */
    WRONG
  }

  public boolean good() {
    return level == Level.GOOD;
  }
}
