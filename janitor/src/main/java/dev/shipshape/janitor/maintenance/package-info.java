/** Whether maintenance forbids a restart, as monitoring knows it. */
@NullMarked
package dev.shipshape.janitor.maintenance;

import org.jspecify.annotations.NullMarked;
