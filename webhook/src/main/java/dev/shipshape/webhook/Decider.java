package dev.shipshape.webhook;

import dev.shipshape.webhook.review.AdmissionRequest;

/** Decides about a request from what is in memory, without doing anything. */
@FunctionalInterface
interface Decider {
  Decision decide(AdmissionRequest request);
}
