/** The control plane as a JUnit extension: one for a whole test run, unique names for each test. */
@NullMarked
package dev.shipshape.sandbox.junit;

import org.jspecify.annotations.NullMarked;
