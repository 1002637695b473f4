package dev.shipshape.service;

import java.util.Optional;

/** Whether a server should get requests now. */
@FunctionalInterface
public interface Readiness {

  /** Why it should not, in one line; empty when it should. */
  Optional<String> notReadyReason();
}
