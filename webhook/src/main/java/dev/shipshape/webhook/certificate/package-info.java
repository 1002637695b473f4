/**
 * Where the webhook's certificate comes from, and whether the API server trusts it: a Secret that
 * one replica keeps, or a folder that somebody else fills.
 */
@NullMarked
package dev.shipshape.webhook.certificate;

import org.jspecify.annotations.NullMarked;
