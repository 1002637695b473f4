/** Certificates: an authority, the pairs that it issues, and sources of a server's pair. */
@NullMarked
package dev.shipshape.certs;

import org.jspecify.annotations.NullMarked;
