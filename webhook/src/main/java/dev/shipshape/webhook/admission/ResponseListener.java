package dev.shipshape.webhook.admission;

/** Is told each response. Called on the way of the call, so it must return at once. */
@FunctionalInterface
public interface ResponseListener {
  void responded(AdmissionRequest request, AdmissionResponse response);
}
