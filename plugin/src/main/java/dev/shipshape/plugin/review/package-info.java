/** Manifests before they are applied: read, judged as the webhook would, reported. */
@NullMarked
package dev.shipshape.plugin.review;

import org.jspecify.annotations.NullMarked;
