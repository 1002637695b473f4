/** Helpers for the Kubernetes client: paged lists, pod logs, cancellation. */
@NullMarked
package dev.shipshape.janitor.kubernetes;

import org.jspecify.annotations.NullMarked;
