package dev.shipshape.webhook;

import dev.shipshape.webhook.review.AdmissionRequest;

/** Is told of each decision. Called on the admission path, so it must return at once. */
@FunctionalInterface
interface DecisionListener {
  /** Does nothing. */
  DecisionListener NOBODY = (request, decision) -> {};

  void decided(AdmissionRequest request, Decision decision);
}
