/** The main job, shown on a control plane of its own: what {@code demo/run} runs. */
@NullMarked
package dev.shipshape.demo;

import org.jspecify.annotations.NullMarked;
