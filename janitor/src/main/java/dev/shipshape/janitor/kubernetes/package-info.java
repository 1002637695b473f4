/** What the Kubernetes client leaves to its caller: pages, the server's clock, an error's words. */
@NullMarked
package dev.shipshape.janitor.kubernetes;

import org.jspecify.annotations.NullMarked;
