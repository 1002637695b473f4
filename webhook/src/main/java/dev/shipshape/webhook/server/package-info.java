/** The HTTPS port: listeners, TLS, client certificates and limits of connections. */
@NullMarked
package dev.shipshape.webhook.server;

import org.jspecify.annotations.NullMarked;
