/**
 * Configurations that take too long: judged by what the object says, by its node and by the API
 * server's clock, and only where the settings say so.
 */
@NullMarked
package dev.shipshape.webhook.timeout;

import org.jspecify.annotations.NullMarked;
