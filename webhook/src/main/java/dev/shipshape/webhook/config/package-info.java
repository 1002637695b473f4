/** Settings, guards and presets: what the webhook is told. */
@NullMarked
package dev.shipshape.webhook.config;

import org.jspecify.annotations.NullMarked;
