/**
 * Writes the ValidatingWebhookConfiguration as the chart renders it. A guard refuses nothing until
 * the API server was seen to call the webhook and enough replicas are ready.
 */
@NullMarked
package dev.shipshape.webhook.arming;

import org.jspecify.annotations.NullMarked;
