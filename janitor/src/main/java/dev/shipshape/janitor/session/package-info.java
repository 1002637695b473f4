/** CFS sessions, and where they are kept. */
@NullMarked
package dev.shipshape.janitor.session;

import org.jspecify.annotations.NullMarked;
