/**
 * The wire: AdmissionReview v1 read from bytes into a request, and answers written to bytes. What
 * the bytes are decided to mean is not known here.
 */
@NullMarked
package dev.shipshape.webhook.review;

import org.jspecify.annotations.NullMarked;
