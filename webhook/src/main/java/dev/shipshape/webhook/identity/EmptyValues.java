package dev.shipshape.webhook.identity;

/** A value that means, wherever a field has it, the same as the field's absence. */
public enum EmptyValues {
  NULL("null"),
  EMPTY_LIST("[]"),
  EMPTY_OBJECT("{}");

  /** How many bytes the longest of them takes. */
  static final int LONGEST = "null".length();

  private final String canonical;

  EmptyValues(String canonical) {
    this.canonical = canonical;
  }

  /** Whether any of them begins so: a quick answer for most values. */
  static boolean mayBeginWith(byte first) {
    return first == 'n' || first == '[' || first == '{';
  }

  /** Whether this is the value that was written from there on. */
  boolean wasWritten(Utf8Buffer out, int from) {
    return out.endsWith(from, canonical);
  }
}
