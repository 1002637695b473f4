/** The index of configurations that are known invalid. In memory, without I/O. */
@NullMarked
package dev.shipshape.webhook.known;

import org.jspecify.annotations.NullMarked;
