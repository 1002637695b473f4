/**
 * The way of a call: AdmissionReview v1 from bytes to a request, and its response back to bytes.
 * What the response is, is decided elsewhere.
 */
@NullMarked
package dev.shipshape.webhook.admission;

import org.jspecify.annotations.NullMarked;
