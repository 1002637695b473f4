package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionHandler;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionResponse;
import dev.shipshape.webhook.admission.AdmissionResponse.Rejected;
import dev.shipshape.webhook.admission.Reason;

/** Warns of what an armed guard would refuse. */
public final class AuditHandler implements AdmissionHandler {
  private final AdmissionHandler armed;

  public AuditHandler(AdmissionHandler armed) {
    this.armed = armed;
  }

  @Override
  public AdmissionResponse handle(AdmissionRequest request) {
    var response = armed.handle(request);
    return response instanceof Rejected(var reason, _, var annotations) && reason.isKnownInvalid()
        ? AuditAnnotations.otherwise(
            reason == Reason.PROBE ? Reason.PROBE_WOULD_BE_REFUSED : Reason.WOULD_BE_REFUSED,
            // Longer ones may be cut by the API server.
            "known invalid: equals %s; would be refused if the guard were armed"
                .formatted(annotations.get(AuditAnnotations.EQUALS)),
            annotations)
        : response;
  }
}
