/**
 * The processing of a call: decodes an AdmissionReview, asks a handler for the decision, encodes
 * the response.
 */
@NullMarked
package dev.shipshape.webhook.admission;

import org.jspecify.annotations.NullMarked;
