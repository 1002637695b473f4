/**
 * Certificates: an authority of our own, the pairs it issues, and where a server takes its pair
 * from.
 */
@NullMarked
package dev.shipshape.certs;

import org.jspecify.annotations.NullMarked;
