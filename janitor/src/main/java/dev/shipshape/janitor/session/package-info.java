/** CFS sessions and their stores. */
@NullMarked
package dev.shipshape.janitor.session;

import org.jspecify.annotations.NullMarked;
