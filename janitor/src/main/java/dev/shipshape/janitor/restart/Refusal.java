package dev.shipshape.janitor.restart;

import java.util.Optional;

/** Why a stuck operator is not restarted; the detail is one line. */
record Refusal(RestartRefusal reason, String detail) {
  static Optional<Refusal> of(RestartRefusal reason, String detail) {
    return Optional.of(new Refusal(reason, detail));
  }
}
