package dev.shipshape.webhook.admission;

/** Decides about a request from memory, without side effects. */
@FunctionalInterface
public interface AdmissionHandler {
  Decision decide(AdmissionRequest request);
}
