/** Decodes AdmissionReviews, asks a handler for the decision, and encodes the response. */
@NullMarked
package dev.shipshape.webhook.admission;

import org.jspecify.annotations.NullMarked;
