package dev.shipshape.janitor.restart;

/** What one check found of a signal beside the watch failures. */
sealed interface SignalState {

  /** No sign of it. */
  record Absent() implements SignalState {}

  /**
   * It is there.
   *
   * @param detail in one line
   */
  record Present(String detail) implements SignalState {}

  /** It could not be determined, which is no evidence of anything. */
  record Unknown(String reason) implements SignalState {}
}
