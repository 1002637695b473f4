/**
 * Writes the ValidatingWebhookConfiguration: as the chart renders it, but a guard refuses nothing
 * until it is seen that replicas can be asked.
 */
@NullMarked
package dev.shipshape.webhook.arming;

import org.jspecify.annotations.NullMarked;
