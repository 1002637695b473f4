package dev.shipshape.janitor.evidence;

/** What one look found of one kind of evidence. */
public sealed interface Evidence {

  /** What there is to look for. */
  enum Kind {
    /** The operator has logged nothing for long, while sessions wait for it. */
    SILENCE
  }

  /** Nothing of it. */
  record Absent() implements Evidence {}

  /**
   * It is there.
   *
   * @param detail in one line
   */
  record Present(String detail) implements Evidence {}

  /** It could not be told, which is no evidence of anything. */
  record Unknown(String reason) implements Evidence {}
}
