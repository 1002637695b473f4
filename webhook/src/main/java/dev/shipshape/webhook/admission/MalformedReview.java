package dev.shipshape.webhook.admission;

/** Valid JSON that is not an AdmissionReview v1. */
final class MalformedReview extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedReview(String problem) {
    super(problem);
  }
}
