/** Kubernetes Events, for those who look with kubectl. */
@NullMarked
package dev.shipshape.janitor.event;

import org.jspecify.annotations.NullMarked;
