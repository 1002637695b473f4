/**
 * The source of the webhook's certificate, and whether the API server trusts it: a Secret that the
 * replicas keep, or a folder that another program fills.
 */
@NullMarked
package dev.shipshape.webhook.certificate;

import org.jspecify.annotations.NullMarked;
