/** The resource KnownInvalidConfiguration: what was invalid, beyond the objects that said so. */
@NullMarked
package dev.shipshape.webhook.store;

import org.jspecify.annotations.NullMarked;
