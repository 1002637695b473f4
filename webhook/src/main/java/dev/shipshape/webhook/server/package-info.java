/** The HTTPS port: listeners, TLS, client certificates, and the limits of a connection. */
@NullMarked
package dev.shipshape.webhook.server;

import org.jspecify.annotations.NullMarked;
