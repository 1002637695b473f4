/** The control plane as a JUnit extension, unique names for tests, and a proxy with faults. */
@NullMarked
package dev.shipshape.sandbox.junit;

import org.jspecify.annotations.NullMarked;
