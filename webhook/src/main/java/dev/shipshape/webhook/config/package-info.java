/** Settings, guards and presets. */
@NullMarked
package dev.shipshape.webhook.config;

import org.jspecify.annotations.NullMarked;
