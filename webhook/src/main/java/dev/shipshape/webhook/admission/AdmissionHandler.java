package dev.shipshape.webhook.admission;

/** Decides about a request from what is in memory, without doing anything. */
@FunctionalInterface
public interface AdmissionHandler {
  Decision decide(AdmissionRequest request);
}
