/**
 * Plain calls to the Kubernetes API, where the client's own language hides what a janitor must see:
 * preconditions, the server's clock, Retry-After.
 */
@NullMarked
package dev.shipshape.janitor.kubernetes;

import org.jspecify.annotations.NullMarked;
